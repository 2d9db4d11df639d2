#!/usr/bin/env bash
# igraph rounds the GUIDs in a GraphML file of networkx, rustworkx refuses the file
#
# Everybody expects: networkx writes the GUID of a switch or an adapter, a 64-bit integer, as
#   attr.type="long", and the other two graph libraries of Python read that number.
# What happens: igraph stores every number of GraphML as a double. Two adapters whose GUIDs differ
#   by one have the same GUID afterwards. What igraph then writes has 15 digits, so it is yet
#   another number. rustworkx keeps "long" whole, but signed: GUIDs of makers whose prefix is above
#   0x7f, such as 0xb8..., are refused as too large, and with them the whole file.
# Whom it bites: everyone who joins a fabric's graph with counters or cables by GUID. As text
#   ("0xb8...") the GUIDs are safe.
# Versions: networkx 3.6.1, igraph 1.0.0, rustworkx 0.18.1
# Output seen:
#   networkx: 0xb8599f0300fc6de4 0xb8599f0300fc6de5
#   igraph: 0xb8599f0300fc7000 0xb8599f0300fc7000
#   igraph, written and read by networkx: 0xb8599f0300fd3000 0xb8599f0300fd3000
#   rustworkx: Failed conversion to 'int' or 'long': number too large to fit in target type
#   graphml-guid: as described (networkx 3.6.1, igraph 1.0.0, rustworkx 0.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin graphml-guid

python_in python networkx==3.6.1 igraph==1.0.0 rustworkx==0.18.1
cat > guids.py <<'PY'
import igraph
import networkx
import rustworkx


def show(numbers):
    print(*(hex(int(number)) for number in numbers))


fabric = networkx.Graph()
fabric.add_node("adapter-1", guid=0xB8599F0300FC6DE4)
fabric.add_node("adapter-2", guid=0xB8599F0300FC6DE5)
networkx.write_graphml(fabric, "fabric.graphml")
show(guid for _, guid in networkx.read_graphml("fabric.graphml").nodes(data="guid"))
read = igraph.Graph.Read_GraphML("fabric.graphml")
show(read.vs["guid"])
read.write_graphml("igraph.graphml")
show(guid for _, guid in networkx.read_graphml("igraph.graphml").nodes(data="guid"))
try:
    show(node["guid"] for node in rustworkx.read_graphml("fabric.graphml")[0].nodes())
except Exception as error:
    print(error)
PY
python/bin/python guids.py > said
expect networkx "0xb8599f0300fc6de4 0xb8599f0300fc6de5" "$(sed -n 1p said)"
expect igraph "0xb8599f0300fc7000 0xb8599f0300fc7000" "$(sed -n 2p said)"
expect "igraph, written and read by networkx" "0xb8599f0300fd3000 0xb8599f0300fd3000" "$(sed -n 3p said)"
expect rustworkx "Failed conversion to 'int' or 'long': number too large to fit in target type" "$(sed -n 4p said)"
finish "networkx 3.6.1, igraph 1.0.0, rustworkx 0.18.1"
