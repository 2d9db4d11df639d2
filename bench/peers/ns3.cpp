// The workload of bench-peers in ns-3: point-to-point devices, switches of our own above them, no IP.
// A switch hands each frame from the device it came in by to the device that its destination is behind: static, minimal
// routes, one per destination. Queues have no limit, since point-to-point links have no credits.
#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <cmath>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace {

// Point-to-point devices put two bytes of PPP in front of a frame, and this header is 16: both are part of a packet's bytes.
constexpr uint32_t kPppBytes = 2;

class Address16 : public Header {
  public:
    static TypeId GetTypeId() {
        static TypeId id = TypeId("BenchAddress").SetParent<Header>().AddConstructor<Address16>();
        return id;
    }
    TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    uint32_t GetSerializedSize() const override { return 16; }
    void Serialize(Buffer::Iterator start) const override {
        start.WriteHtonU32(destination);
        start.WriteHtonU32(last);
        start.WriteHtonU64(sent_ps);
    }
    uint32_t Deserialize(Buffer::Iterator start) override {
        destination = start.ReadNtohU32();
        last = start.ReadNtohU32();
        sent_ps = start.ReadNtohU64();
        return 16;
    }
    void Print(std::ostream& out) const override { out << destination; }

    uint32_t destination = 0;
    uint32_t last = 0;      // Whether it is its message's last packet.
    uint64_t sent_ps = 0;   // When its message was made.
};
NS_OBJECT_ENSURE_REGISTERED(Address16);

struct Options {
    std::string network = "dragonfly";
    std::string pattern = "uniform";
    double load = 0.4;
    double rate_gbps = 200;
    uint32_t packet_bytes = 4000, packets = 16;
    uint32_t groups = 33, switches = 8, endpoints = 4, spines = 32;
    double edge_ns = 120, fabric_ns = 40, until_us = 100, warm_up_us = 50;
    uint32_t seed = 1, from = 0, to = 0;
} options;

uint32_t endpoint_count, switch_count;
std::vector<std::vector<Ptr<NetDevice>>> ports;  // Of each switch: endpoints first, then other switches.
std::vector<Ptr<NetDevice>> nics;
std::vector<uint32_t> peers;                     // Of a permutation.
std::mt19937_64 random_source;

struct {
    uint64_t injected = 0, delivered = 0, hops = 0, delivered_late = 0, injected_late = 0, messages = 0;
    double latency_ns = 0;
} counted;

bool measuring() { return Simulator::Now().GetPicoSeconds() >= static_cast<int64_t>(options.warm_up_us * 1e6); }

uint32_t switch_of(uint32_t endpoint) { return endpoint / options.endpoints; }

// In a dragonfly, link k of a group goes to the k-th of the other groups and is on switch k / h.
uint32_t global_port(uint32_t group, uint32_t other) { return other < group ? other : other - 1; }
uint32_t global_per_switch() { return (options.groups - 1) / options.switches; }
uint32_t local_port(uint32_t at, uint32_t to) { return options.endpoints + (to < at ? to : to - 1); }

uint32_t route(uint32_t at, uint32_t destination) {
    const uint32_t home = switch_of(destination);
    if (at == home) return destination % options.endpoints;
    if (options.network == "fat-tree") {
        // Leaves come first; destination-mod-k as in an ordinary fat tree.
        return at < options.groups ? options.endpoints + destination % options.spines : home;
    }
    const uint32_t group = at / options.switches, own = at % options.switches;
    const uint32_t target = home / options.switches;
    if (group == target) return local_port(own, home % options.switches);
    const uint32_t link = global_port(group, target), owner = link / global_per_switch();
    if (owner != own) return local_port(own, owner);
    return options.endpoints + options.switches - 1 + link % global_per_switch();
}

bool at_switch(uint32_t at, Ptr<const Packet> packet) {
    Address16 header;
    packet->PeekHeader(header);
    ++counted.hops;
    Ptr<NetDevice> out = ports[at][route(at, header.destination)];
    return out->Send(packet->Copy(), out->GetBroadcast(), 0x0800);
}

bool at_endpoint(Ptr<const Packet> packet) {
    Address16 header;
    packet->PeekHeader(header);
    ++counted.delivered;
    if (measuring()) ++counted.delivered_late;
    if (header.last) {
        ++counted.messages;
        counted.latency_ns += (Simulator::Now().GetPicoSeconds() - static_cast<double>(header.sent_ps)) / 1e3;
    }
    return true;
}

void send(uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < options.packets; ++i) {
        Address16 header;
        header.destination = to;
        header.last = i + 1 == options.packets;
        header.sent_ps = Simulator::Now().GetPicoSeconds();
        Ptr<Packet> packet = Create<Packet>(options.packet_bytes - kPppBytes - header.GetSerializedSize());
        packet->AddHeader(header);
        ++counted.injected;
        if (measuring()) ++counted.injected_late;
        nics[from]->Send(packet, nics[from]->GetBroadcast(), 0x0800);
    }
}

void next_message(uint32_t from);
void generate(uint32_t from) {
    uint32_t to = peers.empty() ? std::uniform_int_distribution<uint32_t>(0, endpoint_count - 2)(random_source) : peers[from];
    if (peers.empty() && to >= from) ++to;
    send(from, to);
    next_message(from);
}
void next_message(uint32_t from) {
    const double mean_ns = options.packets * options.packet_bytes * 8.0 / (options.load * options.rate_gbps);
    Simulator::Schedule(NanoSeconds(std::exponential_distribution<double>(1 / mean_ns)(random_source)), &generate, from);
}

}  // namespace

int main(int argc, char** argv) {
    CommandLine line;
    line.AddValue("network", "dragonfly or fat-tree", options.network);
    line.AddValue("pattern", "uniform, permutation or one", options.pattern);
    line.AddValue("load", "share of the rate", options.load);
    line.AddValue("rate", "Gb/s", options.rate_gbps);
    line.AddValue("packet", "bytes of a packet, headers included", options.packet_bytes);
    line.AddValue("packets", "packets of a message", options.packets);
    line.AddValue("groups", "groups, or leaves", options.groups);
    line.AddValue("switches", "switches of a group", options.switches);
    line.AddValue("endpoints", "endpoints of a switch", options.endpoints);
    line.AddValue("spines", "spines", options.spines);
    line.AddValue("edge", "delay of edge links in ns", options.edge_ns);
    line.AddValue("fabric", "delay of links between switches in ns", options.fabric_ns);
    line.AddValue("until", "simulated us", options.until_us);
    line.AddValue("warm-up", "us before measuring", options.warm_up_us);
    line.AddValue("seed", "of everything random", options.seed);
    line.AddValue("from", "of one message", options.from);
    line.AddValue("to", "of one message", options.to);
    line.Parse(argc, argv);
    Time::SetResolution(Time::PS);
    random_source.seed(options.seed);

    const bool tree = options.network == "fat-tree";
    const uint32_t edges = tree ? options.groups : options.groups * options.switches;
    switch_count = edges + (tree ? options.spines : 0);
    endpoint_count = edges * options.endpoints;

    NodeContainer hosts(endpoint_count), switches(switch_count);
    ports.resize(switch_count);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(options.rate_gbps * 1e9))));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", QueueSizeValue(QueueSize("1000000000p")));
    const auto receive_at = [](Ptr<NetDevice> device, uint32_t at) {
        device->SetReceiveCallback(NetDevice::ReceiveCallback(
            [at](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const ns3::Address&) { return at_switch(at, packet); }));
    };
    const auto join = [&](uint32_t a, uint32_t a_port, uint32_t b, uint32_t b_port) {
        link.SetChannelAttribute("Delay", TimeValue(PicoSeconds(static_cast<int64_t>(options.fabric_ns * 1e3))));
        NetDeviceContainer both = link.Install(switches.Get(a), switches.Get(b));
        ports[a].resize(std::max<size_t>(ports[a].size(), a_port + 1));
        ports[b].resize(std::max<size_t>(ports[b].size(), b_port + 1));
        ports[a][a_port] = both.Get(0);
        ports[b][b_port] = both.Get(1);
        receive_at(both.Get(0), a);
        receive_at(both.Get(1), b);
    };
    for (uint32_t endpoint = 0; endpoint < endpoint_count; ++endpoint) {
        const uint32_t at = switch_of(endpoint);
        link.SetChannelAttribute("Delay", TimeValue(PicoSeconds(static_cast<int64_t>(options.edge_ns * 1e3))));
        NetDeviceContainer both = link.Install(hosts.Get(endpoint), switches.Get(at));
        nics.push_back(both.Get(0));
        both.Get(0)->SetReceiveCallback(NetDevice::ReceiveCallback(
            [](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const ns3::Address&) { return at_endpoint(packet); }));
        ports[at].push_back(both.Get(1));
        receive_at(both.Get(1), at);
    }
    if (tree) {
        for (uint32_t leaf = 0; leaf < options.groups; ++leaf)
            for (uint32_t spine = 0; spine < options.spines; ++spine)
                join(leaf, options.endpoints + spine, options.groups + spine, leaf);
    } else {
        const uint32_t own = options.switches, per_switch = global_per_switch();
        for (uint32_t group = 0; group < options.groups; ++group) {
            for (uint32_t a = 0; a < own; ++a)
                for (uint32_t b = a + 1; b < own; ++b)
                    join(group * own + a, local_port(a, b), group * own + b, local_port(b, a));
            for (uint32_t other = group + 1; other < options.groups; ++other) {
                const uint32_t there = global_port(group, other), back = global_port(other, group);
                join(group * own + there / per_switch, options.endpoints + own - 1 + there % per_switch,
                     other * own + back / per_switch, options.endpoints + own - 1 + back % per_switch);
            }
        }
    }

    if (options.pattern == "one") {
        Simulator::Schedule(Time(0), &send, options.from, options.to);
    } else {
        if (options.pattern == "permutation") {
            // One random ring through all endpoints.
            std::vector<uint32_t> order(endpoint_count);
            std::iota(order.begin(), order.end(), 0);
            std::shuffle(order.begin(), order.end(), random_source);
            peers.resize(endpoint_count);
            for (uint32_t i = 0; i < endpoint_count; ++i) peers[order[i]] = order[(i + 1) % endpoint_count];
        }
        for (uint32_t endpoint = 0; endpoint < endpoint_count; ++endpoint) next_message(endpoint);
    }
    Simulator::Stop(PicoSeconds(static_cast<int64_t>(options.until_us * 1e6)));
    Simulator::Run();
    std::cout << "{\"injected\": " << counted.injected << ", \"delivered\": " << counted.delivered << ", \"hops\": " << counted.hops
              << ", \"injected_late\": " << counted.injected_late << ", \"delivered_late\": " << counted.delivered_late
              << ", \"messages\": " << counted.messages << ", \"latency_ns\": "
              << (counted.messages ? counted.latency_ns / counted.messages : 0) << ", \"events\": " << Simulator::GetEventCount()
              << "}\n";
    Simulator::Destroy();
    return 0;
}
