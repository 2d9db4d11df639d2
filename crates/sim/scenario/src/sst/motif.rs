//! The motifs of Ember as workloads, with the defaults of its elements.

use std::collections::BTreeMap;

use philae_units::Bytes;
use philae_workload::{
    Allreduce, Alltoall, Barrier, Broadcast, Halo3d, Halo3d26, Incast, IncastOperation, PingPong, Size, Span, Sweep3d,
    WorkloadSpec,
};

use super::{LoadError, NUMBER_MAX, number, wrong};

/// The supported motifs.
pub(super) const MOTIFS: &str =
    "Halo2D, Halo3D, Halo3D26, Sweep3D, Incast, PingPong, Allreduce, Alltoall, Bcast, Barrier, Init, Fini or Null";

/// A number in a cell.
const NUMBER_BYTES: u64 = 8;

/// A motif with its parameters, in lower case.
pub(super) struct SstMotif {
    called: String,
    pub name: String,
    line: usize,
    parameters: BTreeMap<String, String>,
}

impl SstMotif {
    pub fn read(value: &str, line: usize) -> Result<Self, LoadError> {
        let mut words = value.split_whitespace();
        let called = words.next().ok_or_else(|| wrong(line, "no motif", MOTIFS))?.to_owned();
        let lower = called.to_ascii_lowercase();
        let lower = lower.strip_prefix("ember.").unwrap_or(&lower);
        let name = lower.strip_suffix("motif").unwrap_or(lower).to_owned();
        let mut parameters = BTreeMap::new();
        for word in words {
            let pair = word.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty());
            let (key, value) = pair.ok_or_else(|| wrong(line, format!("'{word}'"), "parameters as name=value"))?;
            if parameters.insert(key.to_ascii_lowercase(), value.to_owned()).is_some() {
                return Err(wrong(line, format!("'{key}' twice"), "each parameter once"));
            }
        }
        Ok(Self { called, name, line, parameters })
    }

    fn take(&mut self, key: &str, least: u64) -> Result<Option<u64>, LoadError> {
        let value = self.parameters.remove(key);
        value.map(|value| number(&value, self.line, key, least, NUMBER_MAX)).transpose()
    }

    fn or(&mut self, key: &str, least: u64, default: u64) -> Result<u64, LoadError> {
        Ok(self.take(key, least)?.unwrap_or(default))
    }

    fn narrow(&mut self, key: &str, default: u32) -> Result<u32, LoadError> {
        let value = self.or(key, 1, default.into())?;
        u32::try_from(value).map_err(|_| wrong(self.line, format!("{key}={value}"), "less than 2^32"))
    }

    fn iterations(&mut self) -> Result<Option<u32>, LoadError> {
        self.narrow("iterations", 1).map(Some)
    }

    /// Ranks along each dimension, or none if the file leaves all of them to the simulator.
    fn grid<const N: usize>(&mut self, ranks: u64) -> Result<Option<[u32; N]>, LoadError> {
        let mut grid = [0_u32; N];
        for (side, key) in grid.iter_mut().zip(["pex", "pey", "pez"]) {
            *side = self.or(key, 0, 0)?.try_into().map_err(|_| wrong(self.line, key, "less than 2^32"))?;
        }
        if grid == [0; N] {
            return Ok(None);
        }
        let product = grid.iter().map(|&side| u64::from(side)).product::<u64>();
        if product == ranks {
            return Ok(Some(grid));
        }
        let sides: Vec<String> = grid.iter().map(u32::to_string).collect();
        Err(wrong(self.line, format!("a grid of {}", sides.join(" x ")), format!("{ranks} ranks in all, or no grid")))
    }

    /// Numbers of 8 B in a cell.
    fn vars(&mut self, fields: u64) -> Result<u32, LoadError> {
        let bytes = self.or("fields_per_cell", 1, fields)?.saturating_mul(self.or("datatype_width", 1, 8)?);
        let vars = if bytes.is_multiple_of(8) { u32::try_from(bytes / 8).ok() } else { None };
        vars.ok_or_else(|| wrong(self.line, format!("{bytes} bytes in a cell"), "a multiple of 8"))
    }

    fn cells(&mut self, default: u32) -> Result<[u32; 3], LoadError> {
        Ok([self.narrow("nx", default)?, self.narrow("ny", default)?, self.narrow("nz", default)?])
    }

    /// Time of `points` with this many operations each, unless the file gives the time, in ns.
    fn time(&mut self, points: u64, flops: (&str, u64), rate: (&str, u64)) -> Result<Span, LoadError> {
        let flops = self.or(flops.0, 0, flops.1)?;
        let rate = self.or(rate.0, 1, rate.1)?;
        let computed = u128::from(points) * u128::from(flops) * 1_000_000_000 / u128::from(rate);
        let nanoseconds = self.take("computetime", 0)?.map_or(computed, u128::from);
        let most = u128::from(NUMBER_MAX);
        if nanoseconds > most {
            return Err(wrong(self.line, format!("computation of {nanoseconds} ns"), format!("at most {most} ns")));
        }
        Ok(Span::nanos(nanoseconds as u64))
    }

    fn compute(&mut self) -> Result<Span, LoadError> {
        self.or("compute", 0, 0).map(Span::nanos)
    }

    fn bytes(&mut self, key: &str, default: u64, each: u64) -> Result<Size, LoadError> {
        Ok(Size(Bytes(self.or(key, 0, default)?.saturating_mul(each))))
    }

    pub fn workload(mut self, ranks: u64, warnings: &mut Vec<String>) -> Result<WorkloadSpec, LoadError> {
        let spec = match self.name.as_str() {
            "halo2d" => self.halo2d(ranks, warnings)?,
            "halo3d" | "halo3d26" => self.halo(ranks, warnings)?,
            "sweep3d" => {
                let cells = self.cells(50)?;
                let layer = u64::from(cells[0]) * u64::from(cells[1]);
                WorkloadSpec::Sweep3d(Sweep3d {
                    cells,
                    kba: self.narrow("kba", 1)?,
                    vars: self.vars(8)?,
                    compute: self.time(layer, ("flops_per_cell", 275), ("nodeflops", 1_000_000_000))?,
                    grid: self.grid(ranks)?,
                    iterations: self.iterations()?,
                })
            }
            "incast" => {
                let target = self.or("incasttarget", 0, 0)?;
                if target != 0 {
                    return Err(wrong(self.line, format!("incastTarget={target}"), "0: the first rank"));
                }
                WorkloadSpec::Incast(Incast {
                    bytes: self.bytes("messagesize", 1_024, 1)?,
                    operation: IncastOperation::Send,
                    barrier: true,
                    iterations: self.iterations()?,
                    ..Incast::default()
                })
            }
            "pingpong" => {
                let other = self.or("rank2", 0, 1)?;
                if other != 1 {
                    return Err(wrong(self.line, format!("rank2={other}"), "1: ranks 0 and 1"));
                }
                let bytes = self.bytes("messagesize", 1_024, 1)?;
                WorkloadSpec::PingPong(PingPong { bytes, iterations: self.iterations()?, ..PingPong::default() })
            }
            "allreduce" => WorkloadSpec::Allreduce(Allreduce {
                bytes: self.bytes("count", 1, 8)?,
                compute: self.compute()?,
                iterations: self.iterations()?,
                ..Allreduce::default()
            }),
            "alltoall" => WorkloadSpec::Alltoall(Alltoall {
                bytes: self.bytes("bytes", 1, 1)?,
                compute: self.compute()?,
                iterations: self.iterations()?,
                ..Alltoall::default()
            }),
            "bcast" => {
                let root = self.or("root", 0, 0)?;
                let rank = u32::try_from(root).ok().filter(|&rank| u64::from(rank) < ranks);
                WorkloadSpec::Broadcast(Broadcast {
                    root: rank
                        .ok_or_else(|| wrong(self.line, format!("root={root}"), format!("one of {ranks} ranks")))?,
                    bytes: self.bytes("count", 1, 8)?,
                    compute: self.compute()?,
                    iterations: self.iterations()?,
                    ..Broadcast::default()
                })
            }
            "barrier" => WorkloadSpec::Barrier(Barrier {
                compute: self.compute()?,
                iterations: self.iterations()?,
                ..Barrier::default()
            }),
            _ => return Err(wrong(self.line, format!("the motif '{}'", self.called), MOTIFS)),
        };
        match self.parameters.into_keys().next() {
            Some(key) => Err(wrong(
                self.line,
                format!("'{key}' of {}", self.called),
                "parameters that the motif has here: see docs/simulate/traces.md",
            )),
            None => Ok(spec),
        }
    }

    /// Halo2D as a halo of three dimensions that is one rank deep. SST sends `messagesizey` along x
    /// and `messagesizex` along y.
    fn halo2d(&mut self, ranks: u64, warnings: &mut Vec<String>) -> Result<WorkloadSpec, LoadError> {
        let line = self.line;
        if self.parameters.remove("messagesize").is_some() {
            warnings.push(format!(
                "line {line}: messagesize is ignored, as in SST: Halo2D has messagesizex and messagesizey (128 B)"
            ));
        }
        warnings.push(format!(
            "line {line}: Halo2D exchanges with both neighbours of a direction at the same time, not one after the other"
        ));
        let mut numbers = |bytes: u64| {
            if bytes == 0 || !bytes.is_multiple_of(NUMBER_BYTES) {
                warnings.push(format!(
                    "line {line}: messages of {bytes} B are rounded to whole numbers of {NUMBER_BYTES} B"
                ));
            }
            u32::try_from(bytes.div_ceil(NUMBER_BYTES).max(1))
                .map_err(|_| wrong(line, format!("{bytes} B"), "less than 32 GiB"))
        };
        let (along_y, along_x) = (self.or("messagesizex", 0, 128)?, self.or("messagesizey", 0, 128)?);
        let cells = [numbers(along_y)?, numbers(along_x)?, 1];
        let compute = self.or("computenano", 0, 10)?.saturating_add(self.or("computecopy", 0, 5)?);
        let (x, y) = (self.or("sizex", 0, 0)?, self.or("sizey", 0, 0)?);
        let (x, y) = if x == 0 || y == 0 {
            // The largest divisor that is not larger than the root.
            let x = (1..=ranks.isqrt()).rev().find(|side| ranks.is_multiple_of(*side)).unwrap_or(1);
            (x, ranks / x)
        } else {
            (x, y)
        };
        if x.checked_mul(y) != Some(ranks) {
            return Err(wrong(line, format!("a grid of {x} x {y}"), format!("{ranks} ranks in all, or no grid")));
        }
        let iterations = self.narrow("iterations", 10).map(Some)?;
        let grid = Some([x as u32, y as u32, 1]);
        Ok(WorkloadSpec::Halo3d(Halo3d {
            cells,
            vars: 1,
            compute: Span::nanos(compute),
            grid,
            diagonals: false,
            iterations,
        }))
    }

    fn halo(&mut self, ranks: u64, warnings: &mut Vec<String>) -> Result<WorkloadSpec, LoadError> {
        if !self.parameters.contains_key("iterations") {
            return Err(wrong(self.line, format!("{} without iterations", self.called), "iterations=N"));
        }
        let cells = self.cells(100)?;
        let fields = self.parameters.get("fields_per_cell").and_then(|fields| fields.parse().ok()).unwrap_or(1_u64);
        let points = cells.iter().map(|&side| u64::from(side)).fold(fields, u64::saturating_mul);
        let compute = self.time(points, ("flopspercell", 26), ("peflops", 10_000_000_000))?;
        let (vars, grid, iterations) = (self.vars(1)?, self.grid(ranks)?, self.iterations()?);
        if self.or("doreduce", 0, 1)? > 0 {
            let line = self.line;
            warnings.push(format!("line {line}: the 8-byte reduction of doreduce=1 (the default) is ignored"));
        }
        if self.take("copytime", 0)?.is_some() {
            warnings
                .push(format!("line {}: copytime is ignored: the model of the host has its own copy times", self.line));
        }
        Ok(if self.name == "halo3d" {
            WorkloadSpec::Halo3d(Halo3d { cells, vars, compute, grid, diagonals: false, iterations })
        } else {
            WorkloadSpec::Halo3d26(Halo3d26 { cells, vars, compute, grid, iterations })
        })
    }
}
