//! The environment variables of the standard. Which ones the library has besides, its own table says.

/// A variable of OpenSHMEM 1.6: its name, and the deprecated one.
pub const VARIABLES: [(&str, &str); 4] = [
    ("SHMEM_VERSION", "SMA_VERSION"),
    ("SHMEM_INFO", "SMA_INFO"),
    ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"),
    ("SHMEM_DEBUG", "SMA_DEBUG"),
];
