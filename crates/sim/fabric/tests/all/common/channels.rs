//! Processes as threads of one: channels do the work of MPI.

use std::sync::mpsc::{Receiver, Sender, channel};

use philae_fabric::{ProcessLost, ProcessShare, Processes};

/// One of the processes.
pub struct Channels {
    share: ProcessShare,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
}

impl Channels {
    /// Makes `count` processes.
    pub fn new(count: u32) -> Vec<Self> {
        let mut all: Vec<Self> = (0..count)
            .map(|number| Self { share: ProcessShare { number, count }, to: Vec::new(), from: Vec::new() })
            .collect();
        for from in 0..count as usize {
            for to in 0..count as usize {
                let (sender, receiver) = channel();
                all[from].to.push(sender);
                // The first sender comes first: receivers are in the order of their senders.
                all[to].from.push(receiver);
            }
        }
        all
    }

    /// Runs `work` in `count` processes at the same time. Returns their answers, by number.
    pub fn each<T: Send>(count: u32, work: impl Fn(&mut Self) -> T + Sync) -> Vec<T> {
        std::thread::scope(|scope| {
            let work = &work;
            let running: Vec<_> =
                Self::new(count).into_iter().map(|mut process| scope.spawn(move || work(&mut process))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, T>| match thread.join() {
                Ok(answer) => answer,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            running.into_iter().map(join).collect()
        })
    }
}

impl Processes for Channels {
    fn share(&self) -> ProcessShare {
        self.share
    }

    fn all_gather(&mut self, own: &[u64], all: &mut Vec<u64>) -> Result<(), ProcessLost> {
        let bytes: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
        let received = self.exchange(vec![bytes; self.to.len()])?;
        all.clear();
        for bytes in received {
            assert_eq!(bytes.len(), 8 * own.len(), "all of them make the same calls");
            all.extend(bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))));
        }
        Ok(())
    }

    fn exchange(&mut self, to: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, ProcessLost> {
        assert_eq!(to.len(), self.to.len(), "bytes for everyone");
        for (number, (sender, bytes)) in self.to.iter().zip(to).enumerate() {
            sender.send(bytes).map_err(|_| ProcessLost(format!("process {number} has ended")))?;
        }
        let receive = |(number, receiver): (usize, &Receiver<Vec<u8>>)| {
            receiver.recv().map_err(|_| ProcessLost(format!("process {number} has ended")))
        };
        self.from.iter().enumerate().map(receive).collect()
    }
}
