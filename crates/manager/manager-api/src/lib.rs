//! What the fabric manager and its command line share.
//!
//! Invariant: a screen, a time or the place of a file has one form, whichever program shows or
//! reads it.
//!
//! Deliberately absent: the server, its endpoints and their documents (`philae-manager`), and the
//! commands (`philae-manager-cli`).

mod address;
mod announcement;
mod failure;
mod files;
mod screen;
mod time;
mod tls;

pub use address::manager_url;
pub use announcement::{Announcement, RunningManager, announce, manager_running_at};
pub use failure::{Failure, bad_input};
pub use files::{admin_file, passphrase_beside, usual_state};
pub use screen::{COLUMNS, alarms as alarms_screen, counted, duration, status as status_screen, wrap};
pub use time::{now_micros, utc};
pub use tls::{verified_tls, verified_tls_with};
