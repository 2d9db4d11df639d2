//! `/fabric/vni`: partitions, blocks, and the task that shows whether switches have a block; and
//! `/fabric/vlans`.

use philae_agent::ConfigSection;
use philae_inventory::{ENDPOINT_BITS, dfa};
use philae_manager_core::DeviceState;
use philae_policy::{
    Document, DocumentChange, DocumentKind, DocumentRef, Spec, VlanSpec, VniBlockSpec, VniPartitionSpec, edge_port,
};
use serde_json::{Value, json};

use crate::compat::envelope::{derived, kept, listed, made, name_of, only, text, texts};
use crate::documents::Documents;
use crate::documents::lookup::existing;
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;

type Answer = Result<Reply, ApiProblem>;

/// Edge ports in a body, by their 32-bit addresses; `None` if the field is missing.
fn ports(manager: &Manager, request: &ApiRequest, key: &str) -> Result<Option<Vec<String>>, ApiProblem> {
    let items = match request.body.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(items)) => items,
        Some(other) => {
            return Err(ApiProblem::bad_request(format!("{key} is {other}; a list of addresses would work")));
        }
    };
    let port = |item: &Value| {
        let nid = item.as_u64().and_then(|address| u32::try_from(address).ok()).map(|address| address >> ENDPOINT_BITS);
        let found = nid.and_then(|nid| philae_policy::FabricView::port_at(&*manager.documents.names, nid));
        let found = found.ok_or_else(|| {
            let works = "group << 23 | switch << 18 | port << 12 of an edge port";
            ApiProblem::bad_request(format!("{key} has {item}, which is not the address of a port; {works} would work"))
        });
        found.map(|port| manager.port_name(port))
    };
    items.iter().map(port).collect::<Result<Vec<_>, _>>().map(Some)
}

/// The 32-bit addresses of edge ports.
fn addresses(manager: &Manager, names: &[String]) -> Vec<u32> {
    let address = |name: &String| {
        let port = edge_port(name, &*manager.documents.names)?;
        dfa(manager.fabric.address(port).ok()?, 0).ok()
    };
    names.iter().filter_map(address).collect()
}

fn partition_link(name: &str) -> String {
    format!("/fabric/vni/partitions/{name}")
}

fn partition(manager: &Manager, document: &Document) -> Value {
    let Spec::VniPartition(spec) = &document.spec else { return Value::Null };
    let ports = addresses(manager, &spec.edge_ports);
    let fields = json!({
        "partitionName": document.name,
        "vniCount": spec.vni_count.unwrap_or(0),
        "vniRanges": spec.vni_ranges,
        "edgePortDFAs": ports,
        // One client reads this spelling.
        "edgePortDFA": ports,
    });
    kept(manager, "vni-partition", &partition_link(&document.name), &document.reference(), fields)
}

/// `GET /fabric/vni/partitions`
pub fn partitions(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let links: Vec<String> =
        manager.documents.set().of(DocumentKind::VniPartition).map(|found| partition_link(&found.name)).collect();
    listed(manager, request, &links)
}

/// `GET /fabric/vni/partitions/{name}`
pub fn get_partition(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let document = existing(&manager.documents, DocumentKind::VniPartition, request.capture("name"))?;
    Ok(Reply::Json(partition(manager, &document)))
}

const PARTITION: [&str; 5] = ["partitionName", "vniCount", "vniRanges", "edgePortDFAs", "edgePortDFA"];

fn put_partition_of(manager: &mut Manager, request: &ApiRequest, name: &str, mut spec: VniPartitionSpec) -> Answer {
    if let Some(count) = request.body.get("vniCount").filter(|count| !count.is_null() && **count != json!(0)) {
        let number = count.as_u64().and_then(|number| u32::try_from(number).ok());
        let number =
            number.ok_or_else(|| ApiProblem::bad_request(format!("vniCount is {count}; 1 to 65535 would work")))?;
        (spec.vni_count, spec.vni_ranges) = (Some(number), Vec::new());
    }
    if let Some(ranges) = texts(request, "vniRanges")?.filter(|ranges| !ranges.is_empty()) {
        (spec.vni_count, spec.vni_ranges) = (None, ranges);
    }
    if let Some(ports) = ports(manager, request, "edgePortDFAs")? {
        spec.edge_ports = ports;
    }
    let document = Document::new(name, Spec::VniPartition(spec));
    made(manager, request, DocumentChange::Put(document.clone()))?;
    Ok(Reply::Json(partition(manager, &document)))
}

/// `POST /fabric/vni/partitions`
pub fn post_partition(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &PARTITION)?;
    let name = text(request, "partitionName", "\"tenant-a\"")?.to_owned();
    if manager.documents.set().get(DocumentKind::VniPartition, &name).is_some() {
        return Err(ApiProblem::conflict(format!(
            "there is a partition {name}; PATCH {} would work",
            partition_link(&name)
        )));
    }
    put_partition_of(manager, request, &name, VniPartitionSpec::default())
}

/// `PUT /fabric/vni/partitions/{name}`
pub fn put_partition(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &PARTITION)?;
    let name = request.capture("name").to_owned();
    put_partition_of(manager, request, &name, VniPartitionSpec::default())
}

/// `PATCH /fabric/vni/partitions/{name}`
pub fn patch_partition(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &PARTITION)?;
    let document = existing(&manager.documents, DocumentKind::VniPartition, request.capture("name"))?;
    let Spec::VniPartition(spec) = document.spec else { return Err(ApiProblem::conflict("this is no partition")) };
    put_partition_of(manager, request, &document.name, spec)
}

/// `DELETE /fabric/vni/partitions/{name}`
pub fn delete_partition(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let document = existing(&manager.documents, DocumentKind::VniPartition, request.capture("name"))?;
    let shown = partition(manager, &document);
    made(manager, request, DocumentChange::Delete(document.reference()))?;
    Ok(Reply::Json(shown))
}

fn block_link(name: &str) -> String {
    format!("/fabric/vni/blocks/{name}")
}

fn task_link(name: &str) -> String {
    format!("/fabric/vni/block-enforcement-tasks/{name}")
}

fn block(manager: &Manager, document: &Document) -> Value {
    let Spec::VniBlock(spec) = &document.spec else { return Value::Null };
    let fields = json!({
        "vniBlockName": document.name,
        "partitionName": spec.partition,
        "vniRanges": spec.vni_ranges,
        "portDFAs": addresses(manager, &spec.edge_ports),
        "enforcementTaskServiceLink": task_link(&document.name),
    });
    kept(manager, "vni-block", &block_link(&document.name), &document.reference(), fields)
}

/// `GET /fabric/vni/blocks`
pub fn blocks(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let links: Vec<String> =
        manager.documents.set().of(DocumentKind::VniBlock).map(|found| block_link(&found.name)).collect();
    listed(manager, request, &links)
}

/// `GET /fabric/vni/blocks/{name}`
pub fn get_block(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let document = existing(&manager.documents, DocumentKind::VniBlock, request.capture("name"))?;
    Ok(Reply::Json(block(manager, &document)))
}

const BLOCK: [&str; 4] = ["vniBlockName", "partitionName", "vniRanges", "portDFAs"];

fn put_block_of(manager: &mut Manager, request: &ApiRequest, name: &str, mut spec: VniBlockSpec) -> Answer {
    if let Some(partition) = request.body.get("partitionName").and_then(Value::as_str) {
        name_of(partition).clone_into(&mut spec.partition);
    }
    if spec.partition.is_empty() {
        return Err(ApiProblem::bad_request("the body lacks partitionName: \"tenant-a\" would work"));
    }
    if let Some(ranges) = texts(request, "vniRanges")?.filter(|ranges| !ranges.is_empty()) {
        spec.vni_ranges = ranges;
    }
    if spec.vni_ranges.is_empty()
        && let Some(Spec::VniPartition(partition)) =
            manager.documents.set().get(DocumentKind::VniPartition, &spec.partition).map(|found| &found.spec)
    {
        spec.vni_ranges.clone_from(&partition.vni_ranges);
    }
    if let Some(ports) = ports(manager, request, "portDFAs")? {
        spec.edge_ports = ports;
    }
    let document = Document::new(name, Spec::VniBlock(spec));
    made(manager, request, DocumentChange::Put(document.clone()))?;
    Ok(Reply::Json(block(manager, &document)))
}

/// `POST /fabric/vni/blocks`
pub fn post_block(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &BLOCK)?;
    let name = text(request, "vniBlockName", "\"tenant-a-block\"")?.to_owned();
    if manager.documents.set().get(DocumentKind::VniBlock, &name).is_some() {
        return Err(ApiProblem::conflict(format!("there is a block {name}; PATCH {} would work", block_link(&name))));
    }
    put_block_of(manager, request, &name, VniBlockSpec::default())
}

/// `PATCH /fabric/vni/blocks/{name}`
pub fn patch_block(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &BLOCK)?;
    let document = existing(&manager.documents, DocumentKind::VniBlock, request.capture("name"))?;
    let Spec::VniBlock(spec) = document.spec else { return Err(ApiProblem::conflict("this is no block")) };
    put_block_of(manager, request, &document.name, spec)
}

/// `PUT /fabric/vni/blocks/{name}`
pub fn put_block(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &BLOCK)?;
    let name = request.capture("name").to_owned();
    put_block_of(manager, request, &name, VniBlockSpec::default())
}

/// `DELETE /fabric/vni/blocks/{name}`
pub fn delete_block(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let document = existing(&manager.documents, DocumentKind::VniBlock, request.capture("name"))?;
    let shown = block(manager, &document);
    made(manager, request, DocumentChange::Delete(document.reference()))?;
    Ok(Reply::Json(shown))
}

/// `GET /fabric/vni/block-enforcement-tasks/{name}`: FINISHED if every switch of the block has it,
/// FAILED if the others cannot be reached or refuse it, STARTED otherwise.
pub fn task(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let document = existing(&manager.documents, DocumentKind::VniBlock, request.capture("name"))?;
    let effect = manager.effect_of_absence(&document.reference());
    let (mut left, mut hopeless) = (0, 0);
    let mut ports = serde_json::Map::new();
    for (switch, section, without) in effect.changed() {
        let view = manager.control_loop.control.section(switch, ConfigSection::Vnis);
        let keys = manager.desired.sections.get(switch, section).iter();
        let keys: Vec<u64> = keys.filter(|(key, value)| without.get(*key) != Some(value)).map(|(key, _)| key).collect();
        let numbers: Vec<String> = keys.iter().map(u64::to_string).collect();
        ports.insert(manager.switch_name(switch), json!(numbers.join(",")));
        if keys.iter().all(|key| view.has_item(*key)) {
            continue;
        }
        left += 1;
        let state = manager.control_loop.control.device_state(switch);
        let away = matches!(
            state,
            DeviceState::Unknown | DeviceState::Unreachable | DeviceState::Quarantined | DeviceState::Maintenance
        );
        hopeless += usize::from(away || view.failures > 2);
    }
    let stage = match (left, hopeless) {
        (0, _) => "FINISHED",
        (left, hopeless) if left == hopeless => "FAILED",
        _ => "STARTED",
    };
    let Spec::VniBlock(spec) = &document.spec else { return Err(ApiProblem::conflict("this is no block")) };
    let ranges = spec.vni_ranges.iter().filter_map(|text| philae_policy::vni_range(text));
    let vnis: Vec<u32> = ranges.flat_map(|(first, last)| first..=last).collect();
    let fields = json!({
        "edgePortDFAs": addresses(manager, &spec.edge_ports),
        "vniList": vnis,
        "addVniList": if left == 0 { Vec::new() } else { vnis.clone() },
        // Removed ports and VNIs leave the desired state of switches immediately, so there is
        // nothing to report.
        "removeEdgePortDFAs": [],
        "removeVniList": [],
        "removeSwitchPortMap": {},
        "switchPortMap": ports,
        "subStage": if left == 0 { "COMPLETED" } else { "ENFORCING" },
        "taskInfo": { "stage": stage, "isDirect": false },
        "switchesLeft": left,
    });
    Ok(Reply::Json(derived(manager, "vni-block-enforcement-task", &task_link(&document.name), fields)))
}

fn vlan_link(id: u16) -> String {
    format!("/fabric/vlans/{id}")
}

/// VLANs by number; VLAN 1 exists without a document.
fn known_vlans(documents: &Documents) -> std::collections::BTreeMap<u16, Document> {
    let vlan = |document: &Document| match &document.spec {
        Spec::Vlan(spec) => Some((spec.id, document.clone())),
        _ => None,
    };
    documents.set().of(DocumentKind::Vlan).filter_map(vlan).collect()
}

/// `GET /fabric/vlans`
pub fn vlans(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let mut ids: Vec<u16> = known_vlans(&manager.documents).into_keys().collect();
    if ids.first() != Some(&1) {
        ids.insert(0, 1);
    }
    listed(manager, request, &ids.into_iter().map(vlan_link).collect::<Vec<_>>())
}

fn vlan(manager: &Manager, id: u16, document: Option<&Document>) -> Value {
    let name = document.map_or("default", |document| document.name.as_str());
    let reference = DocumentRef::new(DocumentKind::Vlan, name);
    kept(manager, "vlan", &vlan_link(id), &reference, json!({ "id": id, "name": name, "status": "ONLINE" }))
}

fn vlan_named(manager: &Manager, request: &ApiRequest) -> Result<(u16, Option<Document>), ApiProblem> {
    let name = request.capture("name");
    let known = known_vlans(&manager.documents);
    let id = name.parse().ok().filter(|id| *id == 1 || known.contains_key(id));
    let id: u16 = id.ok_or_else(|| {
        let ids: Vec<String> = std::iter::once(1).chain(known.keys().copied()).map(|id| id.to_string()).collect();
        ApiProblem::not_found(format!("there is no VLAN {name}; there are: {}", ids.join(", ")))
    })?;
    Ok((id, known.get(&id).cloned()))
}

/// `GET /fabric/vlans/{name}`
pub fn get_vlan(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (id, document) = vlan_named(manager, request)?;
    Ok(Reply::Json(vlan(manager, id, document.as_ref())))
}

/// `POST /fabric/vlans`
pub fn post_vlan(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &["id", "name", "status"])?;
    let id = request.body.get("id").and_then(Value::as_u64).and_then(|id| u16::try_from(id).ok());
    let id = id.ok_or_else(|| ApiProblem::bad_request("the body lacks id: a number from 1 to 4094 would work"))?;
    let status = request.body.get("status").and_then(Value::as_str).unwrap_or("ONLINE");
    if status != "ONLINE" {
        return Err(ApiProblem::bad_request(format!("status is {status}; ONLINE, or no status, would work")));
    }
    // VLAN 1 exists without a document, and may get a name.
    if known_vlans(&manager.documents).contains_key(&id) {
        return Err(ApiProblem::conflict(format!("there is a VLAN {id}; another number would work")));
    }
    let name = text(request, "name", "\"tenant-a\"")?;
    let document = Document::new(name, Spec::Vlan(VlanSpec { id, ..VlanSpec::default() }));
    if manager.documents.set().contains(&document.reference()) {
        return Err(ApiProblem::conflict(format!("there is a VLAN with the name {name}; another name would work")));
    }
    made(manager, request, DocumentChange::Put(document.clone()))?;
    Ok(Reply::Json(vlan(manager, id, Some(&document))))
}

/// `DELETE /fabric/vlans/{name}`
pub fn delete_vlan(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (id, document) = vlan_named(manager, request)?;
    let document = document.ok_or_else(|| ApiProblem::conflict("VLAN 1 is always there"))?;
    let shown = vlan(manager, id, Some(&document));
    made(manager, request, DocumentChange::Delete(document.reference()))?;
    Ok(Reply::Json(shown))
}
