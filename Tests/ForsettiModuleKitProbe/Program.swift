import ForsettiCore
import ForsettiKernelLock
import ForsettiModuleKit

/// A module host of the tests: the product's own lock, and modules that try what module code may try.
@main enum Program {
  @MainActor
  static func main() {
    ModuleHost.run(lock: KernelLock()) {
      let registry = ModuleRegistry()
      for probe in probes + callProbes {
        try registry.register(entryPoint: probe.name) { ProbeModule(probe) }
      }
      try registry.register(entryPoint: "Stubborn") { StubbornModule() }
      try registry.register(entryPoint: "Echo") { EchoProvider() }
      try registry.register(entryPoint: "Vault") { VaultModule() }
      try registry.register(entryPoint: "Consumer") { BusyConsumer() }
      try registry.register(entryPoint: "Talkative") { TalkativeModule(text: 1000) }
      try registry.register(entryPoint: "TalkativeInBrief") { TalkativeModule(text: 1) }
      return registry
    }
  }
}

/// What a probe found that it should not have.
struct Mismatch: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws(Mismatch) {
  guard found == wanted else { throw Mismatch("\(what): \(found), not \(wanted)") }
}

/// A module whose start runs one probe: it throws what the probe found, and starts when that is nothing.
struct ProbeModule: ForsettiModule {
  let manifest: ModuleManifest
  let probe: Probe

  init(_ probe: Probe) {
    self.probe = probe
    manifest = ModuleManifest(
      moduleID: "com.example.probe", displayName: probe.name,
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service,
      supportedPlatforms: [.linux], minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
      capabilitiesRequested: [], entryPoint: probe.name)
  }

  func start(context: ForsettiContext) async throws { try await probe.run(context) }
  func stop(context: ForsettiContext) async { context.logger.info("stopped") }
}

/// A start that goes on until it is cancelled, and says so.
struct StubbornModule: ForsettiModule {
  var manifest: ModuleManifest { ProbeModule(Probe(name: "Stubborn") { _ in }).manifest }

  func start(context: ForsettiContext) async throws {
    context.logger.info("waiting")
    try await Task.sleep(for: .seconds(Int64.max))
  }

  func stop(context: ForsettiContext) async {}
}

/// Publishes without end, from its start on.
struct TalkativeModule: ForsettiModule {
  /// Bytes of text in each event.
  let text: Int
  var manifest: ModuleManifest { ProbeModule(Probe(name: "Talkative") { _ in }).manifest }

  func start(context: ForsettiContext) async throws {
    Task {
      let text = String(repeating: "x", count: text)
      for number in 0... {
        try await context.publishEvent(
          type: "com.example.probe.event", payload: ["n": "\(number)", "x": text])
      }
    }
  }

  func stop(context: ForsettiContext) async {}
}
