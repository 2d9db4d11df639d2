//! An MPI that this process has initialised already. It holds the connection to the launcher, and
//! can gather bytes itself. So MPI and SHMEM work in one program, whichever launcher started it.

use std::ffi::{CStr, c_char, c_int, c_void};

use super::symbols::SymbolLibrary;
use super::{Abort, Bootstrap};
use crate::error::Error;

/// An MPI handle. With Open MPI and the standard ABI it is as wide as a pointer; with MPICH it is a
/// number, which MPICH reads from the lower half of the register.
type Handle = usize;

type Ask = unsafe extern "C" fn(*mut c_int) -> c_int;
type AskOf = unsafe extern "C" fn(Handle, *mut c_int) -> c_int;
type Gather = unsafe extern "C" fn(*const c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle) -> c_int;
type GatherAny = unsafe extern "C" fn(
    *const c_void,
    c_int,
    Handle,
    *mut c_void,
    *const c_int,
    *const c_int,
    Handle,
    Handle,
) -> c_int;

/// MPICH's handles. Source: its `mpi.h`, MPI_COMM_WORLD and MPI_BYTE; the same in all libraries of
/// its ABI. Status: published.
const MPICH: (Handle, Handle) = (0x4400_0000, 0x4c00_010d);

/// The standard interface's handles. Source: MPI 5.0, chapter 20, MPI_COMM_WORLD and MPI_BYTE.
/// Status: published.
const STANDARD: (Handle, Handle) = (0x101, 0x207);

/// An initialised MPI.
pub(super) struct Mpi {
    world: Handle,
    byte: Handle,
    gather: Gather,
    gather_any: GatherAny,
    barrier: unsafe extern "C" fn(Handle) -> c_int,
    abort: unsafe extern "C" fn(Handle, c_int) -> c_int,
    finalized: Ask,
    me: u32,
    n_pes: u32,
}

impl Mpi {
    /// The MPI of this process, if it is initialised and not finalised.
    pub(super) fn find() -> Result<Option<Self>, Error> {
        for library in SymbolLibrary::loaded("libmpi") {
            // SAFETY: the types are those of MPI's standard.
            let (is_initialized, finalized) =
                unsafe { (library.function::<Ask>(c"MPI_Initialized"), library.function::<Ask>(c"MPI_Finalized")) };
            let (Some(is_initialized), Some(finalized)) = (is_initialized, finalized) else { continue };
            if ask(is_initialized) && !ask(finalized) {
                return Self::of(&library, finalized).map(Some);
            }
        }
        Ok(None)
    }

    fn of(library: &SymbolLibrary, finalized: Ask) -> Result<Self, Error> {
        let missing = |name: &CStr| Error::Job(format!("the MPI of this process has no {}", name.to_string_lossy()));
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the types are those of MPI's standard.
                unsafe { library.function($name) }.ok_or_else(|| missing($name))?
            };
        }
        let (world, byte) = handles(library)?;
        let mut mpi = Self {
            world,
            byte,
            gather: function!(c"MPI_Allgather"),
            gather_any: function!(c"MPI_Allgatherv"),
            barrier: function!(c"MPI_Barrier"),
            abort: function!(c"MPI_Abort"),
            finalized,
            me: 0,
            n_pes: 0,
        };
        let (rank, size): (AskOf, AskOf) = (function!(c"MPI_Comm_rank"), function!(c"MPI_Comm_size"));
        let of_world = |ask: AskOf| {
            let mut found = 0;
            // SAFETY: the world's handle, and room for a number.
            check(unsafe { ask(world, &raw mut found) })?;
            u32::try_from(found).map_err(|_| Error::Job(format!("MPI's world has {found}")))
        };
        (mpi.me, mpi.n_pes) = (of_world(rank)?, of_world(size)?);
        Ok(mpi)
    }

    /// Ends every process of MPI's world.
    pub(super) fn abort(&self) -> Abort {
        let (abort, finalized, world) = (self.abort, self.finalized, self.world);
        Box::new(move |code| {
            if !ask(finalized) {
                // SAFETY: the world's handle.
                unsafe { abort(world, code) };
            }
        })
    }

    fn is_there(&self) -> Result<(), Error> {
        if ask(self.finalized) {
            let what = "MPI was finalised before SHMEM, which uses it: shmem_finalize before MPI_Finalize would work";
            return Err(Error::Job(what.to_owned()));
        }
        Ok(())
    }
}

fn handles(library: &SymbolLibrary) -> Result<(Handle, Handle), Error> {
    // Open MPI's handles are addresses of objects.
    let (world, byte) = (library.datum(c"ompi_mpi_comm_world"), library.datum(c"ompi_mpi_byte"));
    if !world.is_null() && !byte.is_null() {
        return Ok((world as Handle, byte as Handle));
    }
    if !library.address(c"MPI_Abi_get_version").is_null()
        && library.address(c"MPIR_F_MPI_BOTTOM").is_null()
        && is_standard(library)
    {
        return Ok(STANDARD);
    }
    let version = version(library);
    if ["MPICH", "Intel", "MVAPICH", "CRAY"].iter().any(|name| version.contains(name)) {
        return Ok(MPICH);
    }
    Err(Error::Job(format!(
        "the MPI of this process is '{version}'; Open MPI, MPICH or an MPI with their interface would work"
    )))
}

/// Whether the library has the standard ABI, with that ABI's handle of the world.
fn is_standard(library: &SymbolLibrary) -> bool {
    // SAFETY: the types are those of MPI 5.0.
    let Some(ask) =
        (unsafe { library.function::<unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int>(c"MPI_Abi_get_version") })
    else {
        return false;
    };
    let (mut major, mut minor) = (-1, -1);
    // SAFETY: room for two numbers.
    unsafe { ask(&raw mut major, &raw mut minor) == 0 && major >= 1 }
}

fn version(library: &SymbolLibrary) -> String {
    // SAFETY: the type is that of MPI's standard.
    let ask = unsafe {
        library.function::<unsafe extern "C" fn(*mut c_char, *mut c_int) -> c_int>(c"MPI_Get_library_version")
    };
    // Source: MPI_MAX_LIBRARY_VERSION_STRING, 8192 with MPICH, 256 with Open MPI.
    // Status: published.
    let mut text = [0; 8192];
    let mut length = 0;
    let Some(ask) = ask else { return "one without a version".to_owned() };
    // SAFETY: the buffer is as large as any of them writes.
    unsafe { ask(text.as_mut_ptr(), &raw mut length) };
    // SAFETY: a C string in an array that ends with zeros.
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().lines().next().unwrap_or_default().to_owned()
}

fn ask(function: Ask) -> bool {
    let mut found = 0;
    // SAFETY: room for a number; MPI allows this call at any time.
    unsafe { function(&raw mut found) };
    found != 0
}

fn check(code: c_int) -> Result<(), Error> {
    if code == 0 { Ok(()) } else { Err(Error::Job(format!("MPI says error {code} while PEs are introduced"))) }
}

impl Bootstrap for Mpi {
    fn name(&self) -> &'static str {
        "the MPI of this process"
    }

    fn place(&self) -> (u32, u32) {
        (self.me, self.n_pes)
    }

    fn exchange(&mut self, own: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        self.is_there()?;
        let too_much = |_| Error::Job("PEs have more data to exchange than MPI's int counts".to_owned());
        let length = c_int::try_from(own.len()).map_err(too_much)?;
        let mut lengths = vec![0u32; self.n_pes as usize];
        let four = size_of::<c_int>() as c_int;
        // SAFETY: four bytes of each PE, and room for those of all.
        let code = unsafe {
            let (from, to) = ((&raw const length).cast(), lengths.as_mut_ptr().cast());
            (self.gather)(from, four, self.byte, to, four, self.byte, self.world)
        };
        check(code)?;
        let mut places = Vec::new();
        let mut end = 0usize;
        for &length in &lengths {
            places.push(c_int::try_from(end).map_err(too_much)?);
            end += length as usize;
        }
        c_int::try_from(end).map_err(too_much)?;
        let mut all = vec![0u8; end];
        // SAFETY: room for the lengths that the PEs have given.
        let code = unsafe {
            let (from, to) = (own.as_ptr().cast(), all.as_mut_ptr().cast());
            let lengths = lengths.as_ptr().cast();
            (self.gather_any)(from, length, self.byte, to, lengths, places.as_ptr(), self.byte, self.world)
        };
        check(code)?;
        let part = |(&place, &length): (&c_int, &u32)| all[place as usize..][..length as usize].to_vec();
        Ok(places.iter().zip(&lengths).map(part).collect())
    }

    fn barrier(&mut self) -> Result<(), Error> {
        self.is_there()?;
        // SAFETY: the world's handle.
        check(unsafe { (self.barrier)(self.world) })
    }

    fn leave(&mut self) {}
}
