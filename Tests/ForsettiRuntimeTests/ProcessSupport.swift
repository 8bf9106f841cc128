import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import ForsettiTestKit
import Glibc

@testable import ForsettiRuntime

/// One module process with everything it says recorded.
@ReactorActor final class Subject {
  let child: ScriptedChild?
  let process: ModuleProcess
  let output = Log<ModuleOutput>()
  let published = Log<PublishMessage>()
  let exits = Log<ModuleExit>()

  init(
    _ steps: [ScriptedChild.Step], clock: any RuntimeClock = ReactorClock.shared,
    adjust: (inout LaunchSpec) -> Void = { _ in }
  ) throws {
    let child = try ScriptedChild(steps)
    self.child = child
    process = Self.process(try spec(host: child.path, adjust), clock, output, published, exits)
  }

  init(host: String, adjust: (inout LaunchSpec) -> Void = { _ in }) throws {
    child = nil
    process = Self.process(try spec(host: host, adjust), ReactorClock.shared, output, published, exits)
  }

  private static func process(
    _ spec: LaunchSpec, _ clock: any RuntimeClock, _ output: Log<ModuleOutput>,
    _ published: Log<PublishMessage>,
    _ exits: Log<ModuleExit>
  ) -> ModuleProcess {
    ModuleProcess(
      spec,
      handlers: ModuleProcess.Handlers(
        output: { output.add($0) }, published: { published.add($0) }, ended: { exits.add($0) }),
      clock: clock)
  }

  /// The error that launch ends in.
  func launchError() async -> ModuleManagerError? {
    do {
      _ = try await process.launch()
      return nil
    } catch { return error }
  }

  /// The error that start ends in.
  func startError() async -> ModuleManagerError? {
    do {
      _ = try await process.launch()
      try await process.start(grants: [])
      return nil
    } catch { return error }
  }
}

/// The user a module of these tests gets: one of its own under root, the tester's otherwise.
let moduleUser: UInt32? = geteuid() == 0 ? 61_000 : nil

/// A specification with short deadlines and the strict plan.
func spec(host: String, _ adjust: (inout LaunchSpec) -> Void = { _ in }) throws -> LaunchSpec {
  let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
  var spec = LaunchSpec(
    moduleID: "com.example.scripted", entryPoint: "Scripted", hostPath: host, plan: plan,
    filter: try FilterCompiler.compile(plan),
    userID: moduleUser, deadlines: PhaseDeadlines(terminate: 300))
  adjust(&spec)
  return spec
}

let description = DescribeMessage(
  descriptor: ModuleDescriptor(
    moduleID: "com.example.scripted", displayName: "Scripted",
    moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
    moduleType: .service),
  manifest: ModuleManifest(
    schemaVersion: "1.0", moduleID: "com.example.scripted", displayName: "Scripted",
    moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
    minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [],
    entryPoint: "Scripted"),
  isUIModule: false, contributions: nil)

/// Numbers of this process's open descriptors.
func openDescriptors() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}
