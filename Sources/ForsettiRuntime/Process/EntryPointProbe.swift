public import ForsettiCore
import ForsettiSandbox
import Glibc

/// Asks the module host whether it has a module's entry point, the one way that can't be wrong: a process is locked as
/// for an activation, says what it is, and is ended before it is started.
@ReactorActor
public enum EntryPointProbe {
  /// What the host says.
  public enum Answer: Sendable, Hashable {
    /// It has the entry point, and there is the module that the manifest announces.
    case known
    /// It has no such entry point, or can't be asked; or the module is another.
    case refused(ModuleManagerError)
  }

  /// Asks. Nothing is left when it returns.
  public static func ask(about module: LoadedManifest, hostPath: String, policy: Policy) async -> Answer {
    let manifest = module.manifest
    let executable: SealedExecutable?
    do throws(ModuleManagerError) {
      executable = try await ExecutableStore().executable(of: module, limit: policy.bundles.executableBytes)
    } catch { return .refused(error) }
    let plan = SandboxPlan.derive(
      grants: Set(policy.grants(for: manifest, origin: module.origin).granted),
      policy: policy.sandbox(for: manifest.moduleID, origin: module.origin),
      executes: executable != nil)
    let filter: FilterProgram
    do throws(SandboxCompileError) { filter = try FilterCompiler.compile(plan) } catch {
      return .refused(.filterFailed(moduleID: manifest.moduleID, reason: "\(error)"))
    }
    // The last of the range: slots are given from its beginning.
    let user = geteuid() == 0 ? policy.userIDs.first + (policy.userIDs.count - 1) : nil
    let process = ModuleProcess(
      LaunchSpec(
        moduleID: manifest.moduleID, entryPoint: manifest.entryPoint, hostPath: hostPath, plan: plan,
        filter: filter, userID: user,
        deadlines: policy.deadlines(for: manifest.moduleID, origin: module.origin), executable: executable))
    do throws(ModuleManagerError) {
      let description = try await process.launch()
      process.kill()
      _ = await process.exit()
      try ModuleIdentity.check(
        discovered: manifest, descriptor: description.descriptor, manifest: description.manifest)
      return .known
    } catch {
      return .refused(error)
    }
  }
}
