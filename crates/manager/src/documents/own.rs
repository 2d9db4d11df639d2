//! Documents of the manager itself, which reach no switch: tokens, and who has which role.

use philae_intent::{Change, admit_onto};
use philae_store::{Expect, Key};

use super::Documents;
use super::endpoints::problems;
use super::keep::{not_kept, now_micros};
use crate::problem::Problem;

impl Documents {
    /// Admits and keeps changes: all of them or none.
    ///
    /// # Errors
    /// When they do not fit together, or cannot be kept.
    pub(crate) fn commit(&mut self, actor: &str, changes: &[Change]) -> Result<(), Problem> {
        let admitted = admit_onto(&self.set, &self.composition, changes, &*self.names).map_err(problems)?;
        if let Some(store) = &self.store {
            let mut written = philae_store::Change::new(actor, now_micros());
            for change in changes {
                let reference = change.reference();
                let key = Key::new(reference.kind.singular(), &reference.name).map_err(Problem::bad_request)?;
                written = match change {
                    Change::Put(document) => written.put(key, Expect::Any, document.to_value().to_string().as_bytes()),
                    Change::Delete(_) => written.delete(key, Expect::Any),
                };
            }
            store.commit(written).map_err(|error| not_kept(&error))?;
        }
        self.set = admitted.set;
        self.composition = admitted.composition;
        Ok(())
    }
}
