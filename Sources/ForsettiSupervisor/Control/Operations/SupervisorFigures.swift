import ForsettiIPC
import ForsettiRuntime

/// What answers tell of the supervisor itself; members of theirs.
struct SupervisorFigures: ControlRecord, Equatable {
  var state = ""
  var uptimeMilliseconds = 0
  /// Reloads since the boot. Where it changes, more than figures may have: what is refused, granted, declared.
  var reloads = 0
  var memoryBytes: Int?
  var cpuSeconds: Double?

  init() {}

  /// - Parameter reloads: as many as the rest of the answer has seen.
  @ReactorActor init(_ context: ControlContext, reloads: Int) async {
    let own = await ProcessFigures.ofSelf()
    state = context.bootstrap.state.name
    uptimeMilliseconds = context.uptimeMilliseconds
    self.reloads = reloads
    memoryBytes = own.residentBytes
    cpuSeconds = own.cpuSeconds
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("state", &state)
    try members("uptimeMilliseconds", &uptimeMilliseconds)
    try members("reloads", &reloads)
    try members("memoryBytes", &memoryBytes)
    try members("cpuSeconds", &cpuSeconds)
  }
}
