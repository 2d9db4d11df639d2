#!/usr/bin/env bash
# rustworkx refuses the booleans of networkx, and networkx drops the defaults of a file
#
# Everybody expects: Python's two graph libraries read each other's GraphML, and a key's <default>
#   is the value of every element without one of its own.
# What happens: networkx writes True and False with capitals, which XML Schema's boolean does not
#   have. rustworkx then refuses the whole file. networkx in turn puts a <default> aside in
#   graph.graph["edge_default"]: no edge has the value. If no edge has a value of its own, the key
#   and its default are missing from what networkx writes. igraph and rustworkx apply defaults.
# Whom it bites: fabrics with a flag per link (global, up), and files whose links are 200 Gbit/s
#   unless they say otherwise.
# Versions: networkx 3.6.1, rustworkx 0.18.1, igraph 1.0.0
# Output seen:
#   rustworkx on a boolean of networkx: Failed conversion to 'bool': provided string was not `true`
#     or `false`
#   edge with a default rate, networkx igraph rustworkx: {} {'rate': 200.0} {'rate': 200.0}
#   default in what networkx writes: no
#   graphml-true: as described (networkx 3.6.1, rustworkx 0.18.1, igraph 1.0.0)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin graphml-true

python_in python networkx==3.6.1 rustworkx==0.18.1 igraph==1.0.0
cat > default.graphml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="r" for="edge" attr.name="rate" attr.type="double"><default>200</default></key>
  <graph edgedefault="undirected">
    <node id="leaf-1"/>
    <node id="spine-1"/>
    <edge source="leaf-1" target="spine-1"/>
  </graph>
</graphml>
XML
cat > read.py <<'PY'
import igraph
import networkx
import rustworkx

links = networkx.Graph()
links.add_edge("leaf-1", "spine-1", up=True)
networkx.write_graphml(links, "boolean.graphml")
try:
    print(rustworkx.read_graphml("boolean.graphml")[0].edges())
except Exception as error:
    print(error)
read = networkx.read_graphml("default.graphml")
print(
    read.edges["leaf-1", "spine-1"],
    igraph.Graph.Read_GraphML("default.graphml").es[0].attributes(),
    rustworkx.read_graphml("default.graphml")[0].edges()[0],
)
print("yes" if any("rate" in line for line in networkx.generate_graphml(read)) else "no")
PY
python/bin/python read.py > said
expect "rustworkx on a boolean of networkx" "Failed conversion to 'bool': provided string was not \`true\` or \`false\`" \
    "$(sed -n 1p said)"
expect "edge with a default rate, networkx igraph rustworkx" "{} {'rate': 200.0} {'rate': 200.0}" "$(sed -n 2p said)"
expect "default in what networkx writes" no "$(sed -n 3p said)"
finish "networkx 3.6.1, rustworkx 0.18.1, igraph 1.0.0"
