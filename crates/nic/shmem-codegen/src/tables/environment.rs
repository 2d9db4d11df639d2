//! The environment variables of the standard. The library's own table has the others.

/// A variable of OpenSHMEM 1.6: its name, and the deprecated one.
pub const VARIABLES: [(&str, &str); 4] = [
    ("SHMEM_VERSION", "SMA_VERSION"),
    ("SHMEM_INFO", "SMA_INFO"),
    ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"),
    ("SHMEM_DEBUG", "SMA_DEBUG"),
];
