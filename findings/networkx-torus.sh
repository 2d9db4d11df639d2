#!/usr/bin/env bash
# A torus of networkx has its sides the other way round, and half of the cables of a side of two
#
# Everybody expects: grid_graph(dim=(4, 3, 2), periodic=True) has the nodes (0, 0, 0) to (3, 2, 1),
#   as the lists of sides everywhere else; and a torus of n nodes in d dimensions has n * d cables.
# What happens: its nodes are (0, 0, 0) to (1, 2, 3): the sides come in reverse. grid_2d_graph(4,
#   3), of the same library, has them as they were given. A side of two gets one cable between its
#   two nodes, not the two of a ring, also where a MultiGraph is asked for, whose cycle_graph(2) has
#   both. A side of one gives each node a cable to itself. In igraph a side of two of a lattice has
#   one cable and its Ring(2) two; a side of one has none.
# Whom it bites: who models torus machines, whose short dimensions are often two with two cables:
#   the bisection of such a torus comes out as half, its load as double, and coordinates that are
#   read as (x, y, z) put jobs on other nodes. A cube hides all of it.
# Versions: networkx 3.6.1, igraph 1.0.0
# Output seen:
#   networkx, sides of grid_graph(dim=(4, 3, 2)): 2 3 4
#   networkx, sides of grid_2d_graph(4, 3): 4 3
#   networkx, cables of the torus of 4, 3 and 2 (72 in a full one): 60
#   networkx, cables of the torus of 2 and 3 as a MultiGraph (12 in a full one): 9
#   networkx, cables of cycle_graph(2) as a MultiGraph: 2
#   networkx, cables from a node to itself in the torus of 4, 3 and 1: 12
#   igraph, cables of the torus of 4, 3 and 2: 60
#   igraph, cables of Ring(2): 2
#   igraph, cables from a node to itself in the torus of 4, 3 and 1: 0
#   networkx-torus: as described (networkx 3.6.1, igraph 1.0.0)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin networkx-torus

python_in python networkx==3.6.1 igraph==1.0.0
cat > torus.py <<'PY'
import igraph
import networkx as nx


def sides(graph):
    return " ".join(str(max(places) + 1) for places in zip(*graph))


print(sides(nx.grid_graph(dim=(4, 3, 2), periodic=True)))
print(sides(nx.grid_2d_graph(4, 3, periodic=True)))
print(nx.grid_graph(dim=(4, 3, 2), periodic=True).number_of_edges())
print(nx.grid_2d_graph(2, 3, periodic=True, create_using=nx.MultiGraph).number_of_edges())
print(nx.cycle_graph(2, create_using=nx.MultiGraph).number_of_edges())
print(nx.number_of_selfloops(nx.grid_graph(dim=(4, 3, 1), periodic=True)))
print(igraph.Graph.Lattice([4, 3, 2], circular=True).ecount())
print(igraph.Graph.Ring(2).ecount())
print(sum(igraph.Graph.Lattice([4, 3, 1], circular=True).is_loop()))
PY
python/bin/python torus.py > said
line() { sed -n "$1p" said; }
expect "networkx, sides of grid_graph(dim=(4, 3, 2))" "2 3 4" "$(line 1)"
expect "networkx, sides of grid_2d_graph(4, 3)" "4 3" "$(line 2)"
expect "networkx, cables of the torus of 4, 3 and 2 (72 in a full one)" 60 "$(line 3)"
expect "networkx, cables of the torus of 2 and 3 as a MultiGraph (12 in a full one)" 9 "$(line 4)"
expect "networkx, cables of cycle_graph(2) as a MultiGraph" 2 "$(line 5)"
expect "networkx, cables from a node to itself in the torus of 4, 3 and 1" 12 "$(line 6)"
expect "igraph, cables of the torus of 4, 3 and 2" 60 "$(line 7)"
expect "igraph, cables of Ring(2)" 2 "$(line 8)"
expect "igraph, cables from a node to itself in the torus of 4, 3 and 1" 0 "$(line 9)"
finish "networkx 3.6.1, igraph 1.0.0"
