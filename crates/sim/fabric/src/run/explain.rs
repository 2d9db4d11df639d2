//! Asks a run to explain messages.

use crate::model::error::FabricError;
use crate::model::share::ProcessShare;
use crate::observe::explain::{ExplainTarget, Explainer};
use crate::run::simulation::Simulation;

impl Simulation {
    /// Follows these messages, for the record's `explained` and `blockers`. It changes nothing else
    /// in the run.
    ///
    /// # Errors
    /// [`FabricError::Parameter`] if the run has more than one partition or a job or rank does not
    /// exist.
    pub fn explain(&mut self, targets: &[ExplainTarget]) -> Result<(), FabricError> {
        let shared = std::sync::Arc::clone(self.shared());
        if shared.options.execution.share != ProcessShare::WHOLE {
            let (found, works) =
                (shared.options.execution.share.count.to_string(), "1: messages are explained by one process");
            return Err(FabricError::Parameter { what: "the number of processes", found, works });
        }
        let [partition] = self.partitions_mut().as_mut_slice() else {
            let found = shared.options.execution.partitions.to_string();
            let works = "1: messages are explained in runs of one partition; the result is the same";
            return Err(FabricError::Parameter { what: "run.partitions", found, works });
        };
        let mut explainer = Explainer::default();
        for target in targets {
            let Some(&base) = shared.places.rank_base.get(target.job.index()) else {
                let (found, works) = (format!("job {}", target.job.0), "a job of the run");
                return Err(FabricError::Parameter { what: "explain", found, works });
            };
            let key = (base + target.source.0, base + target.destination.0, target.issued.0);
            explainer.follow(key, target.issued);
        }
        partition.follow_packets();
        partition.record.observer.explainer = Some(Box::new(explainer));
        Ok(())
    }
}
