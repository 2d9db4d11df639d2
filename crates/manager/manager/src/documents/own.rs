//! Documents about the manager itself, which affect no switch: tokens and role bindings.

use philae_policy::{DocumentChange, admit_onto};
use philae_store::Expect;

use crate::documents::Documents;
use crate::documents::keep::{Note, as_change};
use crate::documents::lookup::problems;
use crate::protocol::problem::ApiProblem;

impl Documents {
    /// Admits and stores changes: all of them or none.
    ///
    /// # Errors
    /// When they do not fit together, or cannot be stored.
    pub(crate) fn commit(&mut self, actor: &str, changes: &[DocumentChange]) -> Result<(), ApiProblem> {
        let admitted = admit_onto(&self.set, &self.composition, changes, &*self.names).map_err(problems)?;
        let note = Note { actor: actor.to_owned(), ..Note::default() };
        let steps: Vec<(DocumentChange, Expect)> = changes.iter().map(|change| (change.clone(), Expect::Any)).collect();
        self.store.commit(as_change(&note, &steps, Vec::new())?)?;
        self.replace(admitted.set, admitted.composition);
        Ok(())
    }
}
