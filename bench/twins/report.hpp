// What every twin reports: the seconds since it began, and its peak memory.

#pragma once

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

class Stopwatch {
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
};

// Return the peak memory of this program in MiB. What getrusage says is no less than the memory of
// the process that started it.
inline double peak_memory() {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
        if (double kibibytes; word == "VmHWM:" && file >> kibibytes) return kibibytes / 1024.0;
    return 0.0;
}

// Print the line of a search.
inline void report_search(double value, long long nodes, const Stopwatch& watch) {
    std::printf("{\"value\": %.17g, \"nodes\": %lld, \"seconds\": %.6f, \"memory\": %.1f}\n", value,
                nodes, watch.seconds(), peak_memory());
}

// Print the line of an exact solution, up to its last brace.
inline void report_solution(double value, long long states, int sweeps, const Stopwatch& watch) {
    std::printf("{\"value\": %.17g, \"states\": %lld, \"sweeps\": %d, \"seconds\": %.6f, "
                "\"memory\": %.1f",
                value, states, sweeps, watch.seconds(), peak_memory());
}
