#!/usr/bin/env bash
# The sum of 32-bit counters wraps in Polars, the sum of 8-bit and 16-bit ones does not
#
# Everybody expects: either all small integers are summed in 64 bits, as numpy, pandas, DuckDB and
#   Arrow do, or none is.
# What happens: Polars sums 8 and 16 bits in 64 bits and leaves 32 bits as they are. Two ports with
#   3 and 2 billion packets have 705032704 packets together, with no error and no warning, in
#   Series.sum as in group_by().agg(). The mean is right, so that sum and mean contradict each
#   other. Polars itself makes such columns: pl.len() is UInt32.
# Whom it bites: 32-bit hardware counters (PortXmitPkts, ifInUcastPkts) and counts of rows that are
#   added up again.
# Versions: polars 2.1.0
# Output seen:
#   UInt16, 65535 + 1: 65536
#   UInt32, 3 + 2 billion: 705032704
#   Int32, 2147483647 + 1: -2147483648
#   the same by group_by: 705032704
#   mean of the same: 2500000000.0
#   type of pl.len(): UInt32
#   polars-32-bit-sum: as described (polars 2.1.0)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin polars-32-bit-sum

python_in python polars==2.1.0
cat > sums.py <<'PY'
import polars as pl

packets = pl.DataFrame({"switch": ["s1", "s1"], "packets": pl.Series([3_000_000_000, 2_000_000_000], dtype=pl.UInt32)})
print(pl.Series([65535, 1], dtype=pl.UInt16).sum())
print(packets["packets"].sum())
print(pl.Series([2**31 - 1, 1], dtype=pl.Int32).sum())
print(packets.group_by("switch").agg(pl.col("packets").sum())["packets"][0])
print(packets["packets"].mean())
print(packets.select(pl.len()).dtypes[0])
PY
python/bin/python sums.py > said
expect "UInt16, 65535 + 1" 65536 "$(sed -n 1p said)"
expect "UInt32, 3 + 2 billion" 705032704 "$(sed -n 2p said)"
expect "Int32, 2147483647 + 1" -2147483648 "$(sed -n 3p said)"
expect "the same by group_by" 705032704 "$(sed -n 4p said)"
expect "mean of the same" 2500000000.0 "$(sed -n 5p said)"
expect "type of pl.len()" UInt32 "$(sed -n 6p said)"
finish "polars 2.1.0"
