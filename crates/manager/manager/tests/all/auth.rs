//! Access control: over the whole table of endpoints, and over real sockets.

use crate::programs;
use std::os::unix::fs::PermissionsExt;

use crate::common::{call, new_folder};
use crate::programs::{Service, ask, done, fabric, text};
use philae_manager::access::{Actor, ROLES, RoleGrant, role_named};
use philae_manager::api::{Reply, endpoints};
use philae_manager::{ApiProblem, Manager, load};
use philae_manager_core::ControlSettings;
use philae_policy::Role;
use serde_json::{Value, json};

/// The page with the table of routes and roles.
const PAGE: &str = include_str!("../../../../../docs/manager/security.md");

/// A row of the page's table: methods, patterns of paths, and whether each role has access.
struct Row {
    methods: Vec<String>,
    paths: Vec<String>,
    /// Access without a token.
    anybody: bool,
    may: Vec<(Role, bool)>,
}

/// The table of routes and roles, row by row; the first row that matches a route counts.
fn table() -> Vec<Row> {
    let (_, section) = PAGE.split_once("## Routes and roles").expect("the section");
    let section = section.split("\n## ").next().unwrap_or(section);
    let mut lines = section.lines().filter(|line| line.starts_with('|')).map(|line| {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
        cells.collect::<Vec<String>>()
    });
    let head = lines.next().expect("a head");
    let roles: Vec<Role> = head[3..].iter().map(|word| role_named(word).expect("a role")).collect();
    assert_eq!(roles, ROLES, "the table has a column for each role, in their order");
    let rows = lines.filter(|cells| !cells[0].starts_with("--"));
    let row = |cells: Vec<String>| {
        let list = |text: &str| text.split(", ").map(|one| one.trim_matches('`').to_owned()).collect();
        let yes = |cell: &String| match cell.as_str() {
            "yes" => true,
            "" => false,
            other => panic!("{other}: a cell is 'yes' or empty"),
        };
        Row {
            methods: list(&cells[0]),
            paths: list(&cells[1]),
            anybody: yes(&cells[2]),
            may: roles.iter().copied().zip(cells[3..].iter().map(yes)).collect(),
        }
    };
    rows.map(row).collect()
}

/// Whether a path matches a pattern, in which `*` stands for anything.
fn fits(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((before, after)) => path.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).any(|at| fits(after, &rest[at..]))
        }),
    }
}

fn row_of<'a>(table: &'a [Row], method: &str, path: &str) -> (usize, &'a Row) {
    let fitting =
        |row: &Row| row.methods.iter().any(|one| one == method) && row.paths.iter().any(|one| fits(one, path));
    let at = table.iter().position(fitting);
    let at = at.unwrap_or_else(|| panic!("docs/manager/security.md says nothing of {method} {path}"));
    (at, &table[at])
}

fn actor(role: Role, tenant: Option<&str>) -> Actor {
    Actor::known("somebody".to_owned(), vec![RoleGrant { role, tenant: tenant.map(str::to_owned) }], false)
}

fn manager() -> Manager {
    let fabric = load("malbec").expect("a built-in system");
    let mut manager = Manager::simulated(fabric, ControlSettings::default(), None).expect("it can be routed");
    manager.control_loop.run();
    manager
}

/// Whether access was refused; other errors of the request do not matter here.
fn refused(result: &Result<Reply, ApiProblem>) -> Option<u16> {
    result.as_ref().err().map(|problem| problem.status).filter(|status| matches!(status, 401 | 403))
}

/// The paths of an endpoint: one for each kind of document if it is for all kinds.
fn examples(path: &str) -> Vec<String> {
    let named = path.replace("{serial}", "12").replace("{name}", "nothing");
    match named.contains("{kind}") {
        false => vec![named],
        true => philae_policy::DocumentKind::ALL.iter().map(|kind| named.replace("{kind}", kind.plural())).collect(),
    }
}

#[test]
fn every_route_is_open_to_the_roles_of_the_documentations_table_and_to_nobody_else() {
    let mut manager = manager();
    let table = table();
    let mut used = std::collections::BTreeSet::new();
    let mut calls = 0;
    for endpoint in endpoints() {
        for path in examples(endpoint.path) {
            // A path of a kind may be an endpoint of its own, which comes first.
            if philae_manager::api::template(endpoint.method, &path) != (endpoint.method, endpoint.path) {
                continue;
            }
            let (at, row) = row_of(&table, endpoint.method, &path);
            used.insert(at);
            for (role, may) in &row.may {
                let result = call(&mut manager, &actor(*role, None), endpoint.method, &path, Value::Null);
                let wanted = if *may { None } else { Some(403) };
                assert_eq!(refused(&result), wanted, "{role:?} {} {path}: {result:?}", endpoint.method);
                if let Err(problem) = result
                    && problem.status == 403
                {
                    assert!(problem.detail.contains("admin"), "it names who may: {problem:?}");
                }
                calls += 1;
            }
            let result = call(&mut manager, &Actor::nobody(false), endpoint.method, &path, Value::Null);
            let wanted = if row.anybody { None } else { Some(401) };
            assert_eq!(refused(&result), wanted, "nobody {} {path}: {result:?}", endpoint.method);
        }
    }
    assert!(calls > endpoints().count() * ROLES.len(), "{calls}");
    let unused: Vec<String> =
        (0..table.len()).filter(|at| !used.contains(at)).map(|at| table[at].paths.join(", ")).collect();
    assert!(unused.is_empty(), "rows of no route: {unused:#?}");
    let metrics = call(&mut manager, &Actor::nobody(true), "GET", "/metrics", Value::Null);
    assert!(metrics.is_ok(), "on this machine figures need no token");
    assert_eq!(refused(&call(&mut manager, &Actor::default(), "GET", "/api/v1/status", Value::Null)), Some(401));
    assert_eq!(refused(&call(&mut manager, &Actor::default(), "GET", "/no/such/thing", Value::Null)), Some(401));
}

#[test]
fn a_role_for_a_tenant_opens_that_tenants_documents_alone() {
    let mut manager = manager();
    let table = table();
    for endpoint in endpoints() {
        let path =
            endpoint.path.replace("{serial}", "12").replace("{name}", "nothing").replace("{kind}", "port-policies");
        if philae_manager::api::template(endpoint.method, &path) != (endpoint.method, endpoint.path) {
            continue;
        }
        // The session's token opens its multicasts to every holder of that token.
        let known = ["/api/v1", "/api/v1/openapi.json", "/metrics", "/api/v1/session"].contains(&path.as_str())
            || (endpoint.method, path.as_str()) == ("POST", "/fabric/collectives/multicasts");
        let wanted = if row_of(&table, endpoint.method, &path).1.anybody || known { None } else { Some(403) };
        for role in ROLES {
            let result = call(&mut manager, &actor(role, Some("one")), endpoint.method, &path, Value::Null);
            assert_eq!(refused(&result), wanted, "{role:?} of a tenant {} {path}: {result:?}", endpoint.method);
        }
    }
}

fn make_token(manager: &mut Manager, who: &Actor, body: Value) -> Result<String, ApiProblem> {
    match call(manager, who, "POST", "/api/v1/tokens", body)? {
        Reply::Json(made) => Ok(made["token"].as_str().expect("it is shown once").to_owned()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_an_admin_gives_or_takes_the_role_admin() {
    let mut manager = manager();
    let (admin, security) = (Actor::process(), actor(Role::Security, None));
    make_token(&mut manager, &admin, json!({ "name": "root", "role": "admin" })).expect("an admin may");
    let refused_to_security = |result: Result<Reply, ApiProblem>| assert_eq!(refused(&result), Some(403), "{result:?}");
    let made = make_token(&mut manager, &security, json!({ "name": "mine", "role": "admin" }));
    assert_eq!(made.expect_err("it may not").status, 403);
    refused_to_security(call(&mut manager, &security, "DELETE", "/api/v1/tokens/root", Value::Null));
    let binding = json!({ "spec": { "role": "admin", "subjects": ["mine"] } });
    refused_to_security(call(&mut manager, &security, "PUT", "/api/v1/role-bindings/more", binding));
    let weaker = json!({ "spec": { "role": "guest", "subjects": ["root"] } });
    refused_to_security(call(&mut manager, &security, "PUT", "/api/v1/role-bindings/root", weaker));
    refused_to_security(call(&mut manager, &security, "DELETE", "/api/v1/role-bindings/root", Value::Null));
    make_token(&mut manager, &security, json!({ "name": "slurm", "role": "wlm" })).expect("other roles it may give");
    let again = make_token(&mut manager, &security, json!({ "name": "slurm", "role": "guest" }));
    assert_eq!(again.expect_err("the name is taken").status, 409);
    // A token never comes from outside, because its sender would know its text for longer than
    // once.
    let hash = json!({ "spec": { "hash": "0".repeat(64) } });
    let put = call(&mut manager, &admin, "PUT", "/api/v1/tokens/known", hash);
    assert!(put.is_err(), "{put:?}");
    call(&mut manager, &security, "DELETE", "/api/v1/tokens/slurm", Value::Null).expect("what it may give it may take");
    let left = call(&mut manager, &admin, "GET", "/api/v1/role-bindings/slurm", Value::Null);
    assert_eq!(left.expect_err("its role went with it").status, 404);
}

#[test]
fn a_token_that_is_about_to_end_is_a_cause_and_an_alarm() {
    let mut manager = manager();
    let word = |manager: &mut Manager| match call(manager, &Actor::process(), "GET", "/api/v1/status", Value::Null) {
        Ok(Reply::Json(status)) => status["health"]["security"].clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        word(&mut manager),
        json!({ "word": "HEALTHY", "causes": [] }),
        "simulated switches need no certificates"
    );
    let body = json!({ "name": "short", "role": "guest", "lifeSeconds": 3_600 });
    make_token(&mut manager, &Actor::process(), body).expect("it is legal");
    let security = word(&mut manager);
    assert_eq!(security["word"], "CONVERGING", "{security}");
    assert!(security["causes"][0].as_str().is_some_and(|cause| cause.contains("token 'short' ends in")), "{security}");
    let alarms = match call(&mut manager, &Actor::process(), "GET", "/api/v1/alarms", Value::Null) {
        Ok(Reply::Json(alarms)) => alarms,
        other => panic!("{other:?}"),
    };
    assert_eq!(alarms["items"][0]["kind"], "security", "{alarms}");
    call(&mut manager, &Actor::process(), "DELETE", "/api/v1/tokens/short", Value::Null).expect("it is there");
    assert_eq!(word(&mut manager)["word"], "HEALTHY", "the alarm ends with its cause");
}

#[test]
fn mistakes_in_a_token_are_told() {
    let mut manager = manager();
    for (body, hint) in [
        (json!([]), "lifeSeconds"),
        (json!({ "name": "a b", "role": "guest" }), "letters and digits"),
        (json!({ "name": "a", "role": "king" }), "guest, operator, security, wlm, standby, admin"),
        (json!({ "name": "a", "role": "guest", "lifeSeconds": 5 }), "from 60"),
        (json!({ "name": "a", "role": "guest", "days": 5 }), "lifeSeconds"),
        (json!({ "name": "a", "role": "guest", "tenant": 5 }), "a text"),
    ] {
        let problem = make_token(&mut manager, &Actor::process(), body.clone()).expect_err("it is wrong");
        assert_eq!(problem.status, 400, "{body}");
        assert!(problem.detail.contains(hint), "{body}: {problem:?}");
    }
}

#[test]
fn a_tenant_sees_and_changes_its_own_documents_alone() {
    use philae_manager::access::{AccessKind, RequiredAccess, Scope, authorise, check_changes};
    use philae_policy::{Document, DocumentChange, DocumentKind, DocumentSet};
    let document = |kind: &str, name: &str, tenant: &str, spec: Value| {
        let text = json!({ "kind": kind, "name": name, "labels": { "tenant": tenant }, "spec": spec });
        Document::from_value(&text).expect("it is one")
    };
    let ours = document("vni-partition", "ours", "one", json!({ "vniRanges": ["10-20"] }));
    let theirs = document("vni-partition", "theirs", "two", json!({ "vniRanges": ["30-40"] }));
    let set = DocumentSet::default().changed(&[DocumentChange::Put(ours.clone()), DocumentChange::Put(theirs.clone())]);
    let wlm = actor(Role::Wlm, Some("one"));
    let scope = authorise(RequiredAccess::OfKind(AccessKind::Read), &wlm, Some(DocumentKind::VniPartition))
        .expect("it may look");
    assert!(matches!(scope, Scope::Tenants(_)) && scope.covers(&ours) && !scope.covers(&theirs));
    let block = |name: &str, tenant: &str, partition: &str| {
        let spec = json!({ "partition": partition, "vniRanges": ["10-11"] });
        DocumentChange::Put(document("vni-block", name, tenant, spec))
    };
    assert!(check_changes(&wlm, &set, &[block("b", "one", "ours")]).is_ok());
    for (change, why) in [
        (block("b", "two", "theirs"), "another tenant's"),
        (block("b", "one", "theirs"), "of another tenant's partition"),
        (DocumentChange::Put(ours.clone()), "a partition is the operator's to give"),
        (DocumentChange::Delete(theirs.reference()), "another tenant's partition"),
    ] {
        assert_eq!(check_changes(&wlm, &set, &[change]).expect_err(why).status, 403, "{why}");
    }
    // A change is made as a whole or not at all.
    let both = [block("b", "one", "ours"), block("c", "two", "theirs")];
    assert!(check_changes(&wlm, &set, &both).is_err());
    // The present document counts as much as the new one.
    let set = set.changed(&[block("b", "two", "theirs")]);
    assert!(check_changes(&wlm, &set, &[block("b", "one", "ours")]).is_err(), "it would take it over");
    assert!(check_changes(&actor(Role::Wlm, None), &set, &[block("b", "one", "ours")]).is_ok());
}

#[test]
fn a_first_start_makes_a_token_that_its_user_finds_by_itself() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated"]);
    let mode =
        |name: &str| std::fs::metadata(folder.path().join(name)).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode("manager/admin.token"), mode("manager/ca/authority.json")), (0o600, 0o600));
    assert!(done(&fabric(&folder, &service.url, &["status"])).contains("32 of 32"));
    // No other user has access.
    let stranger = new_folder();
    let output = fabric(&stranger, &service.url, &["status"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--token-file"), "{}", text(&output.stderr));
    // Except with a given token.
    let file = folder.path().join("guest.token");
    let make = ["tokens", "make", "reader", "--role", "guest", "-f", file.to_str().expect("plain")];
    done(&fabric(&folder, &service.url, &make));
    let with = |url: &str, arguments: &[&str]| {
        let mut all = vec!["--token-file", file.to_str().expect("plain")];
        all.extend(arguments);
        fabric(&stranger, url, &all)
    };
    assert!(done(&with(&service.url, &["status"])).contains("32 of 32"));
    let output = with(&service.url, &["set", "hold_down_ms=0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("operator or admin may"), "{}", text(&output.stderr));
    // The tokens' list has no token, and the first one outlives a restart.
    let list = done(&fabric(&folder, &service.url, &["tokens", "-o", "json"]));
    assert!(list.contains("reader") && !list.contains(&Service::admin_token(&folder)), "{list}");
    let before = Service::admin_token(&folder);
    drop(service);
    let service = Service::start(&folder, &["--simulated"]);
    assert_eq!(Service::admin_token(&folder), before);
    assert!(done(&with(&service.url, &["status"])).contains("32 of 32"));
    done(&fabric(&folder, &service.url, &["tokens", "revoke", "reader"]));
    assert!(!with(&service.url, &["status"]).status.success(), "it is revoked at once");
}

#[test]
fn over_http_refusals_have_their_headers_and_too_many_are_told_when_to_come_again() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated", "--rate-limit", "5"]);
    let token = Service::admin_token(&folder);
    let status = format!("{}/api/v1/status", service.url);
    let nobody = ask("GET", &status, None, &Value::Null);
    assert_eq!((nobody.status, nobody.body["code"].as_str()), (401, Some("auth.required")));
    assert!(nobody.header("www-authenticate").is_some_and(|value| value.starts_with("Bearer")));
    assert!(nobody.header("x-request-id").is_some());
    for path in ["/livez", "/readyz", "/metrics"] {
        assert_eq!(ask("GET", &format!("{}{path}", service.url), None, &Value::Null).status, 200, "{path}");
    }
    let wrong = ask("GET", &status, Some("philae-0000"), &Value::Null);
    assert_eq!((wrong.status, wrong.body["code"].as_str()), (401, Some("auth.wrong-token")));
    // After many wrong tokens there is a limit, which locks no other caller out.
    let mut guesses: Vec<_> = (0..40).map(|_| ask("GET", &status, Some("a guess"), &Value::Null)).collect();
    let last = guesses.pop().expect("forty");
    assert_eq!(last.status, 429);
    let seconds: u64 = last.header("retry-after").and_then(|value| value.parse().ok()).expect("a number");
    assert!((1..=60).contains(&seconds), "{seconds}");
    let right = ask("GET", &status, Some(&token), &Value::Null);
    assert_eq!(right.status, 200);
    let causes = &right.body["health"]["security"];
    assert_eq!(causes["word"], "DEGRADED", "{causes}");
    assert!(causes["causes"][0].as_str().is_some_and(|cause| cause.contains("wrong tokens")), "{causes}");
    // The holder of a token who sends too many requests waits as well.
    let mut many = (0..40).map(|_| ask("GET", &status, Some(&token), &Value::Null));
    let slow = many.find(|answer| answer.status == 429).expect("forty are too many for five a second");
    assert_eq!(slow.body["code"], "request.too-many");
    assert!(slow.header("retry-after").is_some());
}

#[test]
fn beyond_this_machine_there_is_tls_and_the_client_proves_it() {
    let folder = new_folder();
    let refused = Service::start_fails(&folder, &["--simulated", "--listen", "0.0.0.0:0"]);
    assert!(refused.contains("--tls") && refused.contains("127.0.0.1:8000"), "{refused}");
    let service = Service::start(&folder, &["--simulated", "--tls", "--listen", "0.0.0.0:0"]);
    let port = service.url.rsplit(':').next().expect("a port").to_owned();
    let url = format!("https://127.0.0.1:{port}");
    assert!(done(&fabric(&folder, &url, &["status"])).contains("32 of 32"), "token and roots are found");
    let stranger = new_folder();
    let token = folder.path().join("manager/admin.token");
    let roots = folder.path().join("manager/ca/roots.pem");
    let token = token.to_str().expect("plain");
    let without = fabric(&stranger, &url, &["--token-file", token, "status"]);
    assert!(text(&without.stderr).contains("--ca"), "{}", text(&without.stderr));
    let with = ["--token-file", token, "--ca", roots.to_str().expect("plain"), "status"];
    assert!(done(&fabric(&stranger, &url, &with)).contains("32 of 32"));
    // Another fabric's roots do not verify the manager, and the token is not sent.
    let other = new_folder();
    let other_service = Service::start(&other, &["--simulated"]);
    let others = other.path().join("manager/ca/roots.pem");
    let wrong = fabric(&stranger, &url, &["--token-file", token, "--ca", others.to_str().expect("plain"), "status"]);
    assert!(!wrong.status.success() && text(&wrong.stderr).contains("certificate"), "{}", text(&wrong.stderr));
    drop(other_service);
    // A name that the certificate does not have.
    let named = fabric(&stranger, &format!("https://127.0.0.2:{port}"), &with);
    assert!(!named.status.success() && text(&named.stderr).contains("certificate"), "{}", text(&named.stderr));
}

#[test]
fn nothing_secret_is_written_down() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated", "--log", "json", "--log-level", "debug"]);
    let make = done(&fabric(&folder, &service.url, &["tokens", "make", "op", "--role", "operator"]));
    let made = make.trim().to_owned();
    let join = programs::join_token(&folder, &service.url, "join");
    let join = std::fs::read_to_string(join).expect("it was written");
    let join = join.lines().nth(1).and_then(|line| line.strip_prefix("token ")).expect("a token").to_owned();
    done(&fabric(&folder, &service.url, &["log", "debug"]));
    let status = format!("{}/api/v1/status", service.url);
    ask("GET", &status, Some("philae-wrong-but-secret"), &Value::Null);
    ask("GET", &status, Some(&made), &Value::Null);
    ask("POST", &format!("{}/api/v1/tokens", service.url), Some(&made), &json!({ "name": "philae-in-a-body" }));
    service.running.line_with("\"status\":403");
    let said = service.running.said();
    assert!(said.lines().filter(|line| line.contains("\"message\":\"request\"")).count() >= 5, "{said}");
    assert!(said.contains("\"actor\":\"op\"") && said.contains("\"actor\":\"admin\""), "{said}");
    let authority = std::fs::read_to_string(folder.path().join("manager/ca/authority.json")).expect("it is there");
    let authority: Value = serde_json::from_str(&authority).expect("JSON");
    let key = authority["roots"][0]["key"].as_str().expect("a key").lines().nth(1).expect("a line").to_owned();
    let admin = Service::admin_token(&folder);
    for secret in [&admin, &made, &join, &key, "wrong-but-secret", "in-a-body", "BEGIN"] {
        assert!(!said.contains(secret), "'{secret}' was written down");
    }
    // The stored files have no token either.
    for entry in std::fs::read_dir(folder.path().join("manager")).expect("it is there").flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        let holds = |secret: &str| bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!holds(&made), "{}", entry.path().display());
        assert!(entry.file_name() == "admin.token" || !holds(&admin), "{}", entry.path().display());
    }
}

#[test]
fn an_operator_reads_the_audit_but_for_what_became_of_secrets() {
    let mut manager = manager();
    let process = Actor::process();
    let spec = json!({ "spec": { "selector": "role=global", "priority": 3, "settings": { "autoneg": false } } });
    call(&mut manager, &process, "PUT", "/api/v1/port-policies/quiet", spec).expect("it is admitted");
    let token = json!({ "name": "hidden-one", "role": "guest" });
    call(&mut manager, &process, "POST", "/api/v1/tokens", token).expect("it is made");
    let seen = |manager: &mut Manager, role: Role| {
        let answer = call(manager, &actor(role, None), "GET", "/api/v1/audit", Value::Null).expect("it may");
        answer.into_value().to_string()
    };
    let (operator, security) = (seen(&mut manager, Role::Operator), seen(&mut manager, Role::Security));
    assert!(operator.contains("quiet") && !operator.contains("hidden-one"), "{operator}");
    assert!(security.contains("quiet") && security.contains("hidden-one"), "{security}");
}

#[test]
fn the_role_security_does_not_come_to_the_authority() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated"]);
    let admin = Service::admin_token(&folder);
    let post =
        |path: &str, token: &str, body: &Value| ask("POST", &format!("{}{path}", service.url), Some(token), body);
    let make = |token: &str, name: &str, role: &str| {
        let made = post("/api/v1/tokens", token, &json!({ "name": name, "role": role }));
        (made.status, made.body["token"].as_str().unwrap_or_default().to_owned())
    };
    let (status, security) = make(&admin, "officer", "security");
    assert_eq!(status, 200);
    for path in ["/api/v1/leadership/log", "/api/v1/leadership/copy"] {
        assert_eq!(ask("GET", &format!("{}{path}", service.url), Some(&security), &Value::Null).status, 403, "{path}");
    }
    // The old form: in the clear, by a GET.
    let once = ask("GET", &format!("{}/api/v1/leadership/secrets", service.url), Some(&security), &Value::Null);
    assert!(once.status >= 400 && once.body.get("admin.token").is_none(), "{:?}", once.body);
    assert_eq!(post("/api/v1/leadership/secrets", &security, &json!({})).status, 403);
    let passphrase = json!({ "passphrase": "of my own making" });
    assert_eq!(post("/api/v1/backup", &security, &passphrase).status, 403, "what it could open itself");
    // The role cannot give itself one that leads to them.
    for role in ["admin", "standby"] {
        assert_eq!(make(&security, "mine", role).0, 403, "{role}");
        let binding = json!({ "spec": { "role": role, "subjects": ["officer"] } });
        let put = ask("PUT", &format!("{}/api/v1/role-bindings/pwn", service.url), Some(&security), &binding);
        assert_eq!(put.status, 403, "{role}: {:?}", put.body);
    }
    assert_eq!(make(&security, "slurm", "wlm").0, 200, "others it may");

    // A standby gets them sealed; its token is bound to its key.
    let (status, standby) = make(&admin, "standby-b", "standby");
    assert_eq!(status, 200);
    assert_eq!(ask("GET", &format!("{}/api/v1/ports", service.url), Some(&standby), &Value::Null).status, 403);
    let (token, other) = (folder.path().join("standby.token"), folder.path().join("stolen"));
    std::fs::write(&token, &standby).expect("there is room");
    let begin = |state: &std::path::Path| {
        let state = state.to_str().expect("plain");
        let token = token.to_str().expect("plain");
        let mut arguments = vec!["manager", "standby", "--system", "malbec", "--simulated", "--listen", "127.0.0.1:0"];
        arguments.extend(["--state", state, "--of", service.url.as_str(), "--token-file", token]);
        programs::Running::start(&folder, &arguments)
    };
    let first = begin(&folder.path().join("standby"));
    first.line_with("try: philae fabric status");
    let kept = |path: &str| std::fs::read(folder.path().join(path)).expect("it is there");
    assert_eq!(kept("standby/ca/authority.json"), kept("manager/ca/authority.json"));
    let thief = begin(&other);
    assert!(thief.line_with("error").contains("bound to the key of another standby"), "{}", thief.said());
    assert!(!other.join("ca").exists());
}
