import ForsettiCore

// The families, as docs/metrics.md lists them. Labels come from finite sets: module IDs of manifests, services, results,
// states, reasons.
extension MetricsSnapshot {
  /// The snapshot as OpenMetrics text, in pieces of some 32 KiB.
  public func openMetrics() -> [String] {
    var writer = OpenMetricsWriter()
    writeSupervisor(&writer)
    writeStates(&writer)
    writeCalls(&writer)
    writeTraffic(&writer)
    writeProcesses(&writer)
    writer.end()
    return writer.pieces
  }

  private func writeSupervisor(_ writer: inout OpenMetricsWriter) {
    writer.begin("forsetti_build", .info, "The version that runs.")
    writer.sample("_info", [("version", ForsettiVersion.current.description)], 1)
    writer.begin("forsetti_boot_state", .stateset, "Where the boot stands.")
    for name in BootState.names {
      writer.sample("", [("forsetti_boot_state", name)], name == bootState ? 1 : 0)
    }
    writer.begin("forsetti_uptime_seconds", .gauge, unit: "seconds", "Time since the supervisor began.")
    writer.sample("", [], Double(uptimeMilliseconds) / 1000)
    writer.begin("process_cpu_seconds", .counter, unit: "seconds", "Processor time of the supervisor itself.")
    if let cpu = supervisor?.cpuSeconds { writer.sample("_total", [], cpu) }
    writer.begin("process_resident_memory_bytes", .gauge, unit: "bytes", "Memory of the supervisor itself.")
    if let bytes = supervisor?.residentBytes { writer.sample("", [], bytes) }
    writer.begin(
      "forsetti_spans", .counter, "Calls that have ended and of which a collector of traces is told.")
    writer.sample("_total", [], spans.ended)
    writer.begin("forsetti_spans_dropped", .counter, "Those of them that no collector has or will have.")
    writer.sample("_total", [], spans.dropped)
  }

  private func writeStates(_ writer: inout OpenMetricsWriter) {
    writer.begin("forsetti_module_state", .stateset, "Where each module stands.")
    for module in modules {
      for state in ModuleStatus.State.allCases {
        writer.sample(
          "", [("module", module.moduleID), ("forsetti_module_state", state.rawValue)],
          state == module.state ? 1 : 0)
      }
    }
    writer.begin(
      "forsetti_module_uptime_seconds", .gauge, unit: "seconds", "Time since a module became active.")
    for module in modules {
      if let seconds = module.uptimeSeconds { writer.sample("", module.label, seconds) }
    }
    writer.begin("forsetti_module_restarts", .counter, "Restarts of a module, by why it had ended.")
    for module in modules {
      for kind in ExitKind.allCases {
        guard let count = module.counts.restarts[kind] else { continue }
        writer.sample("_total", module.label + [("reason", kind.rawValue)], count)
      }
    }
  }

  private func writeCalls(_ writer: inout OpenMetricsWriter) {
    writer.begin("forsetti_calls", .counter, "Calls that a module made and that have ended.")
    for module in modules { Self.write(module.counts.made, module.label, &writer) }
    writer.begin("forsetti_provided_calls", .counter, "Calls to a module that have ended.")
    for module in modules { Self.write(module.counts.provided, module.label, &writer) }
    writer.begin("forsetti_open_calls", .gauge, "Calls of and to a module that are not answered yet.")
    for module in modules {
      writer.sample("", module.label + [("direction", "made")], module.openMade)
      writer.sample("", module.label + [("direction", "provided")], module.openProvided)
    }
    writer.begin(
      "forsetti_call_duration_seconds", .histogram, unit: "seconds",
      "How long calls took that a module made and that were not answered in the turn that took them up.")
    for module in modules where module.counts.latency.count > 0 {
      Self.write(module.counts.latency, module.label, &writer)
    }
  }

  private static func write(
    _ calls: CallCounts, _ label: [(String, String)], _ writer: inout OpenMetricsWriter
  ) {
    for row in calls.rows {
      let service = row.service?.rawValue ?? "runtime"
      writer.sample("_total", label + [("service", service), ("result", row.result.rawValue)], row.count)
    }
  }

  private static func write(
    _ latency: LatencyBuckets, _ label: [(String, String)], _ writer: inout OpenMetricsWriter
  ) {
    var sum: UInt64 = 0
    for bucket in 0..<LatencyBuckets.bounded {
      sum &+= latency[bucket]
      let bound = Double(LatencyBuckets.bound(of: bucket)) / 1e6
      writer.sample("_bucket", label + [("le", bound.metricText)], sum)
    }
    sum &+= latency[LatencyBuckets.bounded]
    writer.sample("_bucket", label + [("le", "+Inf")], sum)
    writer.sample("_count", label, sum)
    writer.sample("_sum", label, Double(latency.sumNanoseconds) / 1e9)
  }

  private func writeTraffic(_ writer: inout OpenMetricsWriter) {
    typealias Count = (ModuleMetrics) -> UInt64
    let families: [(name: String, unit: String?, help: String, count: Count)] = [
      ("forsetti_received_bytes", "bytes", "Bytes of frames from a module.", { $0.counts.bytesFrom }),
      ("forsetti_sent_bytes", "bytes", "Bytes of frames to a module.", { $0.counts.bytesTo }),
      (
        "forsetti_events_published", nil, "Events that a module published within its rate.",
        { $0.counts.eventsPublished }
      ),
      (
        "forsetti_events_delivered", nil, "Events that went to a module's pipe.",
        { $0.counts.eventsDelivered }
      ),
      (
        "forsetti_events_dropped", nil, "Events for a module that gave way to newer ones before they did.",
        { $0.counts.eventsDropped }
      ),
      ("forsetti_log_lines", nil, "Log lines of a module within its rate.", { $0.counts.logLines }),
      (
        "forsetti_log_lines_dropped", nil, "Log lines of a module above its rate.",
        { $0.counts.logLinesDropped }
      ),
      (
        "forsetti_served_syscalls", nil, "System calls of a module that the supervisor answered.",
        { $0.counts.servedCalls }
      ),
    ]
    for family in families {
      writer.begin(family.name, .counter, unit: family.unit, family.help)
      for module in modules { writer.sample("_total", module.label, family.count(module)) }
    }
  }

  private func writeProcesses(_ writer: inout OpenMetricsWriter) {
    writer.begin(
      "forsetti_module_cpu_seconds", .counter, unit: "seconds", "Processor time of a module's process.")
    for module in modules {
      if let seconds = module.process?.cpuSeconds { writer.sample("_total", module.label, seconds) }
    }
    writer.begin(
      "forsetti_module_resident_memory_bytes", .gauge, unit: "bytes", "Memory of a module's process.")
    for module in modules {
      if let bytes = module.process?.residentBytes { writer.sample("", module.label, bytes) }
    }
    writer.begin(
      "forsetti_module_proportional_memory_bytes", .gauge, unit: "bytes",
      "The same, what is shared with other processes counted by its share.")
    for module in modules {
      if let bytes = module.process?.proportionalBytes { writer.sample("", module.label, bytes) }
    }
  }
}

extension ModuleMetrics {
  fileprivate var label: [(String, String)] { [("module", moduleID)] }
}
