import ForsettiCore
import ForsettiRuntime

extension RunReport {
  /// The runtime as it is now, right after a boot.
  @ReactorActor
  init(of runtime: ForsettiRuntime, _ boot: BootReport, policyPath: String, kernel: KernelFacts) async {
    let status = await runtime.observe()
    let catalog = runtime.moduleManager?.catalog
    version = ForsettiVersion.current.description
    self.policyPath = policyPath
    state = "ready"
    bootMilliseconds = boot.milliseconds
    selectedUIModuleID = status.selectedUIModuleID
    modules = status.modules.filter { $0.state != .discovered }.map(Module.init)
    refusedBundles = catalog?.refusals.map(\.description) ?? []
    layers = kernel.layers(
      kernelCalls: modules.map(\.kernelSyscalls.count).max() ?? 0,
      servedCalls: modules.map(\.servedSyscalls.count).max() ?? 0)
    missing = kernel.missing
    surface = runtime.surface.surface
  }

  /// The one object of a boot that failed.
  static func failureJSON(_ failure: CommandFailure, milliseconds: Double) -> JSONValue {
    .record([
      "state": .string("failed"), "bootMilliseconds": .milliseconds(milliseconds),
      "selectedUIModuleID": .null,
      "modules": .array([]), "error": .string(failure.message), "details": .strings(failure.details),
    ])
  }
}

extension RunReport.Module {
  init(_ status: ModuleStatus) {
    moduleID = status.moduleID
    type = status.type?.rawValue ?? "-"
    state = status.state.rawValue
    pid = status.process?.pid
    threads = status.process?.threads
    kernelSyscalls = status.plan?.kernelNames ?? []
    grants = status.plan?.brokered.map(\.rawValue) ?? []
    servedSyscalls = status.plan?.servedNames ?? []
    openFileDescriptors = status.process?.openFileDescriptors
    pssKiB = status.process?.pssKiB
    activationMilliseconds = status.process?.activationNanoseconds.map { Double($0) / 1e6 }
    uptimeMilliseconds = status.uptimeMilliseconds
    lateAnswers = status.lateAnswers
    refusals = status.refusals
    calls = status.figures.map { Int(clamping: $0.calls) }
    failedCalls = status.figures.map { Int(clamping: $0.failedCalls) }
    droppedEvents = status.figures.map { Int(clamping: $0.droppedEvents) }
    droppedLogLines = status.figures.map { Int(clamping: $0.droppedLogLines) }
    restarts = status.figures.map { Int(clamping: $0.restarts) }
    failure = status.failure?.message
  }
}
