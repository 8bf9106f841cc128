/// Counts one module since the supervisor started, over all its processes. Whoever sees a thing happen adds
/// it here, on the reactor: plain integers in fixed places, no lock, no allocation.
@ReactorActor final class ModuleMeter {
  /// The figures now.
  var counts = ModuleCounts()

  nonisolated init() {}
}

/// The meters of all modules that had a process, by their IDs.
@ReactorActor final class ModuleMeters {
  private var meters: [String: ModuleMeter] = [:]

  nonisolated init() {}

  /// A module's meter; made when it is first asked for. IDs come from manifests alone, so there are not ever more.
  subscript(moduleID: String) -> ModuleMeter {
    if let meter = meters[moduleID] { return meter }
    let meter = ModuleMeter()
    meters[moduleID] = meter
    return meter
  }
}
