#!/usr/bin/env bash
# igraph refuses a GraphML file of networkx because one link's rate is 200 and another's is 12.5
#
# Everybody expects: networkx writes an attribute of all links as one GraphML key, and igraph reads
#   what networkx writes.
# What happens: networkx makes a key for each Python type. Where the rate of one link is the integer
#   200 and of another one the float 12.5, the file has two keys with the same attr.name, one "long"
#   and one "double". Links without a rate do not help. networkx reads it back as if nothing had
#   been. igraph stops: "Duplicate attribute name found". write_graphml(...,
#   infer_numeric_types=True) makes it one key.
# Whom it bites: generators of fabrics that compute rates: 400 / 2 is a float, 200 is not. The same
#   code works until then.
# Versions: networkx 3.6.1, igraph 1.0.0
# Output seen:
#   keys of networkx: gbps double, gbps long
#   igraph: InternalError, Duplicate attribute name found: 'gbps'
#   igraph with infer_numeric_types: [200.0, 12.5]
#   graphml-two-keys: as described (networkx 3.6.1, igraph 1.0.0)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin graphml-two-keys

python_in python networkx==3.6.1 igraph==1.0.0
cat > write.py <<'PY'
import re

import networkx

graph = networkx.Graph()
graph.add_edge("leaf-1", "spine-1", gbps=200)
graph.add_edge("leaf-2", "spine-1", gbps=12.5)
networkx.write_graphml(graph, "plain.graphml")
networkx.write_graphml(graph, "inferred.graphml", infer_numeric_types=True)
with open("plain.graphml") as file:
    keys = re.findall(r'attr.name="(\w+)" attr.type="(\w+)"', file.read())
print(", ".join(" ".join(key) for key in sorted(keys)))
PY
cat > read.py <<'PY'
import re
import sys

import igraph

try:
    print(igraph.Graph.Read_GraphML(sys.argv[1]).es["gbps"])
except igraph.InternalError as error:
    print("InternalError,", re.search(r"Duplicate attribute name found: '\w+'", str(error)).group())
PY
expect "keys of networkx" "gbps double, gbps long" "$(python/bin/python write.py)"
expect igraph "InternalError, Duplicate attribute name found: 'gbps'" "$(python/bin/python read.py plain.graphml)"
expect "igraph with infer_numeric_types" "[200.0, 12.5]" "$(python/bin/python read.py inferred.graphml)"
finish "networkx 3.6.1, igraph 1.0.0"
