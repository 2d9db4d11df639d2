#!/usr/bin/env bash
# DuckDB writes the sum of 64-bit counters to Parquet as floating point
#
# Everybody expects: the sum of a BIGINT column is an integer, and COPY ... TO a Parquet file stores
#   what SELECT shows.
# What happens: sum() of 64-bit integers is a HUGEINT of 128 bits, exact in SQL. Parquet has no such
#   integer, so COPY stores a DOUBLE without a warning. The sum of 2^53 and 1 bytes reads back as
#   2^53. count(*) and max() beside it stay integers. .df() makes float64 of it as well.
#   sum(x)::BIGINT or ::DECIMAL(38,0) is stored whole.
# Whom it bites: totals of byte and packet counters, and of times in picoseconds, that are summed in
#   DuckDB and compared or checked elsewhere. A port at 400 Gbit/s passes 2^53 bytes after 50 hours.
# Versions: duckdb 2.0.1, pyarrow 26.0.1
# Output seen:
#   SELECT: 9007199254740993, HUGEINT
#   in the Parquet file: double 9007199254740992.0, count int64 2
#   with ::BIGINT: int64 9007199254740993
#   duckdb-sum-to-parquet: as described (duckdb 2.0.1, pyarrow 26.0.1)
# shellcheck source=findings/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
begin duckdb-sum-to-parquet

python_in python duckdb==2.0.1 pyarrow==26.0.1
cat > sum.py <<'PY'
import duckdb
import pyarrow.parquet

duckdb.sql("create table ports as select * from (values ('p1', 9007199254740992::bigint), ('p2', 1)) t(port, bytes)")
print(*duckdb.sql("select sum(bytes), typeof(sum(bytes)) from ports").fetchall()[0], sep=", ")
duckdb.sql("copy (select sum(bytes) as total, count(*) as ports from ports) to 'plain.parquet'")
duckdb.sql("copy (select sum(bytes)::bigint as total from ports) to 'cast.parquet'")
plain, cast = (pyarrow.parquet.read_table(f"{name}.parquet") for name in ("plain", "cast"))


def column(table, name):
    return f"{table.schema.field(name).type} {table[name][0].as_py()}"


print(f"{column(plain, 'total')}, count {column(plain, 'ports')}")
print(column(cast, "total"))
PY
python/bin/python sum.py > said
expect SELECT "9007199254740993, HUGEINT" "$(sed -n 1p said)"
expect "in the Parquet file" "double 9007199254740992.0, count int64 2" "$(sed -n 2p said)"
expect "with ::BIGINT" "int64 9007199254740993" "$(sed -n 3p said)"
finish "duckdb 2.0.1, pyarrow 26.0.1"
