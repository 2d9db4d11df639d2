#!/usr/bin/env bash
# MPICH's threshold of an allreduce changes nothing: 16 B already take the algorithm of long vectors
#
# Everybody expects: MPICH sums a vector of at most MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE bytes (2,048)
#   by recursive doubling, and a longer one by Rabenseifner's reduce-scatter and allgather. That is
#   what papers say, what models of MPI assume, and what `mpivars` says of the control variable.
# What happens: the variable is still there and has no effect. On 8 ranks a sum of 512 B goes by
#   reduce-scatter and allgather, and with the variable at 10,000,000 so does every longer one. A
#   table in the library decides: recursive doubling up to 8 B, or when there are fewer elements
#   than ranks. MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM does have an effect.
# Whom it bites: who tunes an allreduce of some hundred bytes with the variable and measures twice
#   the same; who models MPICH from the variable, and is wrong between 16 B and 2 KiB by 30 to 90 %.
# Versions: mpich 5.0.2 of PyPI, netmod ofi, provider tcp of libfabric, 8 ranks
# How it is seen: bytes that a rank sends, in vectors. Recursive doubling on 8 ranks
#   sends 3 vectors, Rabenseifner's algorithm 1.75; headers come on top.
# Output seen:
#   what mpivars says: MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE=2048
#   vectors that a rank sends: 512 B 2.19, 65536 B 1.75
#   with the variable at 10000000: 512 B 2.19, 65536 B 1.75
#   with recursive doubling forced: 512 B 3.28, 65536 B 3.00
#   mpich-allreduce-threshold: as described (mpich 5.0.2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpich-allreduce-threshold

python_in mpich mpich==5.0.2

count_sent
cat > sent.c <<'C'
#include "sent.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int place = 1; place < argc; place++) {
		int elements = atoi(argv[place]) / (int)sizeof(double);
		double *from = calloc(elements, sizeof *from), *to = calloc(elements, sizeof *to), all;

		MPI_Allreduce(from, to, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
		double more = sent;
		for (int turn = 0; turn < 10; turn++)
			MPI_Allreduce(from, to, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		more = sent - more;
		MPI_Reduce(&more, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
		if (rank == 0)
			printf("%s%s B %.2f", place > 1 ? ", " : "", argv[place], all / 10 / ranks / elements / sizeof(double));
		free(from);
		free(to);
	}
	if (rank == 0)
		printf("\n");
	MPI_Finalize();
}
C
mpich/bin/mpicc -O2 -rdynamic -o sent sent.c -ldl
export MPIR_CVAR_CH4_NETMOD=ofi MPIR_CVAR_NOLOCAL=1 FI_PROVIDER=tcp
sizes() { # variable=value
    env "$@" timeout 120 mpich/bin/mpiexec -n 8 ./sent 512 65536
}
expect "what mpivars says" "MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE=2048" \
    "$(mpich/bin/mpivars 2> log | grep --only-matching --max-count=1 'MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE=[0-9]*')"
expect "vectors that a rank sends" "512 B 2.19, 65536 B 1.75" "$(sizes UNSET=1)"
expect "with the variable at 10000000" "512 B 2.19, 65536 B 1.75" "$(sizes MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE=10000000)"
expect "with recursive doubling forced" "512 B 3.28, 65536 B 3.00" \
    "$(sizes MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling)"
finish "mpich 5.0.2"
