#!/usr/bin/env bash
# MPICH sums a long vector with an operation of your own as if it were short
#
# Everybody expects: an allreduce of a long vector takes Rabenseifner's algorithm, if the operation
#   is commutative; MPI_Op_create asks for nothing else. A sum of 1 MiB on 16 ranks then costs each
#   rank 1.88 vectors on the network, for an addition of MPI's and for your own.
# What happens: with an operation made by MPI_Op_create, commutative, on MPI_DOUBLE, MPICH sends the
#   whole vector in each step of recursive doubling, at every size: 3 vectors on 8 ranks, 4 on 16.
#   MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=reduce_scatter_allgather changes nothing and warns of
#   nothing; `ring`, which needs the same of an operation, is taken.
# Whom it bites: codes with sums of their own (compensated or quadruple precision, largest with a
#   place, merged statistics): log2(ranks) vectors instead of two, 5 times as much on 1,024 ranks.
#   Who replays their traces by MPI_Allreduce alone models the cheap algorithm.
# Versions: mpich 5.0.2 (PyPI), netmod ofi, libfabric's tcp, 8 and 16 ranks
# How it is seen: bytes that a rank sends, as a multiple of the vector (1 MiB).
# Output seen:
#   MPI_SUM, an own sum, 8 ranks: 1.75 3.00
#   MPI_SUM, an own sum, 16 ranks: 1.88 4.00
#   reduce_scatter_allgather asked for, 8 ranks: 1.75 3.00
#   ring asked for, 8 ranks: 1.75 1.75
#   mpich-own-operation: as described (mpich 5.0.2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpich-own-operation

python_in mpich mpich==5.0.2

count_sent
cat > sent.c <<'C'
#include "sent.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void add(void *from, void *to, int *count, MPI_Datatype *type)
{
	double *with = from, *sum = to;

	(void)type;
	for (int place = 0; place < *count; place++)
		sum[place] += with[place];
}

int main(int argc, char **argv)
{
	enum { ELEMENTS = 131072, TURNS = 5 };
	int rank, ranks;
	MPI_Op own;

	MPI_Init(&argc, &argv);
	MPI_Op_create(add, 1, &own);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	double *from = calloc(ELEMENTS, sizeof *from), *to = calloc(ELEMENTS, sizeof *to), all;
	MPI_Op operations[] = {MPI_SUM, own};
	for (int which = 0; which < 2; which++) {
		MPI_Allreduce(from, to, ELEMENTS, MPI_DOUBLE, operations[which], MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
		double more = sent;
		for (int turn = 0; turn < TURNS; turn++)
			MPI_Allreduce(from, to, ELEMENTS, MPI_DOUBLE, operations[which], MPI_COMM_WORLD);
		more = sent - more;
		MPI_Reduce(&more, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
		if (rank == 0)
			printf("%s%.2f", which ? " " : "", all / TURNS / ranks / ELEMENTS / sizeof(double));
	}
	if (rank == 0)
		printf("\n");
	MPI_Op_free(&own);
	MPI_Finalize();
}
C
mpich/bin/mpicc -O2 -rdynamic -o sent sent.c -ldl
export MPIR_CVAR_CH4_NETMOD=ofi MPIR_CVAR_NOLOCAL=1 FI_PROVIDER=tcp
vectors() { # ranks [algorithm]
    timeout 200 env "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=${2:-auto}" mpich/bin/mpiexec -n "$1" ./sent
}
expect "MPI_SUM, an own sum, 8 ranks" "1.75 3.00" "$(vectors 8)"
expect "MPI_SUM, an own sum, 16 ranks" "1.88 4.00" "$(vectors 16)"
expect "reduce_scatter_allgather asked for, 8 ranks" "1.75 3.00" "$(vectors 8 reduce_scatter_allgather)"
expect "ring asked for, 8 ranks" "1.75 1.75" "$(vectors 8 ring)"
finish "mpich 5.0.2"
