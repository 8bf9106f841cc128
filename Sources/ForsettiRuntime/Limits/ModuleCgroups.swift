import ForsettiCore
import Glibc

/// Gives each module process a cgroup of its own, where the supervisor was given a subtree.
@ReactorActor final class ModuleCgroups {
  private let tree: CgroupTree
  private let worker: BlockingWorker
  private var made = 0

  nonisolated init(_ tree: CgroupTree, on worker: BlockingWorker) {
    self.tree = tree
    self.worker = worker
  }

  /// Takes over the supervisor's own cgroup, where that was given to it.
  /// - Returns: `nil` where it was not, which is no fault, or where it can't be; and what modules have by it.
  nonisolated static func takingOver(
    _ found: CgroupStanding, on worker: BlockingWorker, logger: any ForsettiLogger
  ) async -> (cgroups: ModuleCgroups?, standing: CgroupStanding) {
    guard let folder = found.folder else { return (nil, found) }
    do throws(SystemError) {
      let tree = try await worker.run { () throws(SystemError) in try CgroupTree(folder: folder) }
      let held = tree.controllers.isEmpty ? "none" : tree.controllers.sorted().joined(separator: ", ")
      logger.info(
        "each module has a cgroup of its own below \(folder); controllers: \(held)", moduleID: nil)
      return (ModuleCgroups(tree, on: worker), .delegated(tree.controllers, folder: folder))
    } catch {
      logger.warning("modules have no cgroups of their own, rlimits hold them: \(error)", moduleID: nil)
      return (nil, .failed(error))
    }
  }

  /// The controllers that each cgroup has.
  var controllers: Set<String> { tree.controllers }

  /// A cgroup with its limits set, for one process.
  func makeCgroup(for sandbox: SandboxPolicy) async throws(SystemError) -> ModuleCgroup {
    made += 1
    let (tree, number) = (tree, made)
    let plan = CgroupPlan.derive(sandbox, controllers: tree.controllers)
    let leaf = try await worker.run { () throws(SystemError) in try tree.makeLeaf(number, plan) }
    return ModuleCgroup(leaf, on: worker)
  }
}

/// The cgroup of one module process, removed with its last reference.
final class ModuleCgroup: Sendable {
  private let leaf: CgroupLeaf
  private let worker: BlockingWorker

  init(_ leaf: CgroupLeaf, on worker: BlockingWorker) {
    self.leaf = leaf
    self.worker = worker
  }

  deinit {
    let (leaf, worker) = (leaf, worker)
    Task { await worker.run { leaf.remove() } }
  }

  /// Moves a process in, which must be unreaped, so that its number is its own. A write of some 50 µs, done on the reactor
  /// for that reason.
  func add(_ process: Int32) throws(SystemError) { try leaf.add(process) }

  /// Whether the kernel has ended the process for want of memory.
  var hasKilledForMemory: Bool { leaf.hasKilledForMemory }
}
