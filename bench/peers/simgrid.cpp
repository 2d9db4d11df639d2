// The workload of bench-peers in SimGrid: a fat tree of two levels, a flow for each message, max-min fair shares.
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

struct Options {
    std::string pattern = "uniform";
    double load = 0.4, rate_gbps = 200, message_bytes = 64000, latency_ns = 200, until_us = 100, warm_up_us = 50;
    unsigned leaves = 32, endpoints = 32, spines = 32, seed = 1, from = 0, to = 0;
} options;

std::vector<s4u::Host*> hosts;
std::vector<unsigned> peers;
double injected = 0, injected_late = 0, delivered = 0, delivered_late = 0, latency_ns = 0, messages = 0;

std::vector<std::vector<s4u::CommPtr>> pending;  // Of each host: flows that are under way, or that nobody has looked at since.

void count(unsigned from) {
    auto& mine = pending[from];
    const auto ended = [](const s4u::CommPtr& comm) {
        if (!comm->test()) return false;
        delivered += options.message_bytes;
        messages += 1;
        latency_ns += (comm->get_finish_time() - comm->get_start_time()) * 1e9;
        if (comm->get_finish_time() >= options.warm_up_us * 1e-6) delivered_late += options.message_bytes;
        return true;
    };
    mine.erase(std::remove_if(mine.begin(), mine.end(), ended), mine.end());
}

void send(unsigned from, unsigned to) {
    count(from);
    injected += options.message_bytes;
    if (s4u::Engine::get_clock() >= options.warm_up_us * 1e-6) injected_late += options.message_bytes;
    pending[from].push_back(s4u::Comm::sendto_async(hosts[from], hosts[to], static_cast<uint64_t>(options.message_bytes)));
}

void source(unsigned from) {
    std::mt19937_64 random(options.seed * 1000003ULL + from);
    std::exponential_distribution<double> gap(options.load * options.rate_gbps * 1e9 / (8 * options.message_bytes));
    std::uniform_int_distribution<unsigned> other(0, static_cast<unsigned>(hosts.size()) - 2);
    for (;;) {
        s4u::this_actor::sleep_for(gap(random));
        unsigned to = peers.empty() ? other(random) : peers[from];
        if (peers.empty() && to >= from) ++to;
        send(from, to);
    }
}

}  // namespace

int main(int argc, char** argv) {
    s4u::Engine engine(&argc, argv);
    std::map<std::string, double*> numbers = {{"load", &options.load}, {"rate", &options.rate_gbps},
        {"message", &options.message_bytes}, {"latency", &options.latency_ns}, {"until", &options.until_us},
        {"warm-up", &options.warm_up_us}};
    std::map<std::string, unsigned*> counts = {{"leaves", &options.leaves}, {"endpoints", &options.endpoints},
        {"spines", &options.spines}, {"seed", &options.seed}, {"from", &options.from}, {"to", &options.to}};
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto split = word.find('=');
        const std::string key = word.substr(2, split - 2), value = word.substr(split + 1);
        if (numbers.count(key)) *numbers[key] = std::stod(value);
        else if (counts.count(key)) *counts[key] = static_cast<unsigned>(std::stoul(value));
        else if (key == "pattern") options.pattern = value;
        else { std::cerr << "unknown option " << word << "\n"; return 2; }
    }
    const unsigned endpoints = options.leaves * options.endpoints;
    const auto host = [](s4u::NetZone* zone, const std::vector<unsigned long>&, unsigned long id) {
        s4u::Host* made = zone->create_host("host-" + std::to_string(id), 1e9)->seal();
        return std::make_pair(made->get_netpoint(), static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
    };
    s4u::create_fatTree_zone("tree", nullptr, s4u::FatTreeParams(2, {options.endpoints, options.leaves}, {1, options.spines}, {1, 1}),
        s4u::ClusterCallbacks(host), options.rate_gbps * 1e9 / 8, options.latency_ns * 1e-9, s4u::Link::SharingPolicy::SPLITDUPLEX)
        ->seal();
    for (unsigned i = 0; i < endpoints; ++i) hosts.push_back(s4u::Host::by_name("host-" + std::to_string(i)));
    pending.resize(endpoints);

    if (options.pattern == "one") {
        s4u::Actor::create("one", hosts[options.from], [] {
            send(options.from, options.to);
            s4u::this_actor::sleep_for(1e-3);
            count(options.from);
        });
    } else {
        if (options.pattern == "permutation") {
            std::mt19937_64 random(options.seed);
            std::vector<unsigned> order(endpoints);
            std::iota(order.begin(), order.end(), 0u);
            std::shuffle(order.begin(), order.end(), random);
            peers.resize(endpoints);
            for (unsigned i = 0; i < endpoints; ++i) peers[order[i]] = order[(i + 1) % endpoints];
        }
        for (unsigned i = 0; i < endpoints; ++i) s4u::Actor::create("source", hosts[i], source, i)->daemonize();
        s4u::Actor::create("clock", hosts[0], [] {
            s4u::this_actor::sleep_for(options.until_us * 1e-6);
            for (unsigned i = 0; i < hosts.size(); ++i) count(i);
        });
    }
    engine.run();
    std::cout << "{\"injected\": " << injected << ", \"injected_late\": " << injected_late << ", \"delivered\": " << delivered
              << ", \"delivered_late\": " << delivered_late << ", \"messages\": " << messages << ", \"latency_ns\": "
              << (messages > 0 ? latency_ns / messages : 0) << "}\n";
    return 0;
}
