//! Connections that send nothing, or half of a request, do not keep other clients out.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::common::new_folder;
use crate::programs::{Service, ask, done, fabric, wait_for};
use serde_json::Value;

/// Limit of clients' connections for the manager of these tests.
const CONNECTIONS: &str = "32";

fn connect(service: &Service) -> TcpStream {
    TcpStream::connect(service.url.trim_start_matches("http://")).expect("it listens")
}

#[test]
fn connections_that_are_silent_or_slow_give_way_to_those_that_ask() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated", "--connections", CONNECTIONS]);
    let token = Service::admin_token(&folder);
    let livez = format!("{}/livez", service.url);
    // Some send nothing, some a part of a request, some are between two requests.
    let begin = |number: usize| {
        let mut stream = connect(&service);
        let text: &[u8] = match number % 3 {
            0 => b"",
            1 => b"GET /livez HTTP/1.1\r\nHost: x\r\n",
            _ => b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n",
        };
        // If another connection has its place already, it cannot write.
        let _ = stream.write_all(text);
        stream
    };
    let held: Vec<TcpStream> = (0..200).map(begin).collect();
    for _ in 0..5 {
        assert_eq!(ask("GET", &livez, None, &Value::Null).status, 200);
    }
    assert_eq!(ask("GET", &format!("{}/api/v1/status", service.url), Some(&token), &Value::Null).status, 200);
    assert!(done(&fabric(&folder, &service.url, &["status"])).contains("32 of 32"));
    // Closed connections learn of it: they do not wait forever.
    let mut held: Vec<TcpStream> = held;
    wait_for("no more are left than there are places", || {
        held.retain_mut(|stream| {
            stream.set_nonblocking(true).expect("it is a socket");
            let mut bytes = [0; 4_096];
            loop {
                match stream.read(&mut bytes) {
                    Ok(0) => return false,
                    Ok(_) => {}
                    Err(error) => return error.kind() == std::io::ErrorKind::WouldBlock,
                }
            }
        });
        (held.len() <= 32).then_some(())
    });
}

#[test]
fn a_request_says_once_for_whom_it_is_and_each_key_once() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated"]);
    for (hosts, status) in [("", "400"), ("Host: x\r\nHost: y\r\n", "400"), ("Host: x\r\n", "200")] {
        let mut stream = connect(&service);
        let request = format!("GET /livez HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text, and an end");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{hosts}: {answer}");
    }
    let token = Service::admin_token(&folder);
    let mut stream = connect(&service);
    let body = r#"{"spec": {"id": 7, "id": 8}}"#;
    let request = format!(
        "PUT /api/v1/vlans/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text, and an end");
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("'id' is given twice"), "{answer}");
}

#[test]
fn who_may_not_come_in_is_told_before_the_body_is_sent() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated"]);
    for head in ["", "Authorization: Bearer wrong\r\n"] {
        let mut stream = connect(&service);
        let request = format!("PUT /api/v1/vlans/a HTTP/1.1\r\nHost: x\r\n{head}Content-Length: 1000000\r\n\r\n{{");
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut answer = String::new();
        // The rest of the body never comes: the answer does, and the end.
        stream.read_to_string(&mut answer).expect("text, and an end");
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    }
}
