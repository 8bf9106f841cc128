import CLinux
import Glibc

/// What a process of ours takes from itself, for good: new privileges, files, sockets and signals outside a Landlock
/// domain, capabilities.
public struct Reduction: Sendable, Hashable {
  /// What stays within reach.
  public var landlock: LandlockRuleset
  /// Whether a kernel without Landlock is no failure.
  public var mayLackLandlock: Bool
  /// What is kept of the capabilities that are held.
  public var capabilities: ProcessCapabilities

  /// Makes a reduction.
  public init(landlock: LandlockRuleset, mayLackLandlock: Bool, capabilities: ProcessCapabilities) {
    self.landlock = landlock
    self.mayLackLandlock = mayLackLandlock
    self.capabilities = capabilities
  }

  /// Applies it to the calling thread, and so to every thread and process that it starts from now on: called while
  /// the process has one thread, it holds the whole of it. Each layer is read back where the kernel lets it be read.
  /// - Throws: the first layer that could not be applied; the process must end.
  public func apply() throws(ReductionFailure) -> ReductionResult {
    // Without it an ordinary user gets no Landlock domain, and root would gain all again by an exec.
    let refused = cl_prctl(PR_SET_NO_NEW_PRIVS, 1)
    guard refused == 0 else { throw ReductionFailure(layer: .noNewPrivileges, errno: -refused) }
    guard cl_prctl(PR_GET_NO_NEW_PRIVS, 0) == 1 else {
      throw ReductionFailure(layer: .noNewPrivileges, errno: ENOTRECOVERABLE)
    }
    let abi: Int32
    do throws(LockdownFailure) { abi = try landlock.enforce(mayBeMissing: mayLackLandlock) } catch {
      throw ReductionFailure(layer: .landlock, errno: error.errno)
    }
    for result in [cl_clear_ambient(), cl_keep_capabilities(capabilities.rawValue)] where result < 0 {
      throw ReductionFailure(layer: .capabilities, errno: -result)
    }
    guard let held = ProcessCapabilities.effective, held.isSubset(of: capabilities) else {
      throw ReductionFailure(layer: .capabilities, errno: ENOTRECOVERABLE)
    }
    return ReductionResult(landlockABI: abi, capabilities: held)
  }
}

/// What holds a process that reduced itself.
public struct ReductionResult: Sendable, Hashable {
  /// The kernel's Landlock ABI; 0 where it has none and that was no failure.
  public var landlockABI: Int32
  /// The capabilities that are left.
  public var capabilities: ProcessCapabilities

  /// Makes a result.
  public init(landlockABI: Int32, capabilities: ProcessCapabilities) {
    self.landlockABI = landlockABI
    self.capabilities = capabilities
  }
}

/// The layer of a reduction that could not be applied.
public struct ReductionFailure: Error, Sendable, Hashable {
  /// The layers, in their order.
  public enum Layer: String, Sendable, Hashable, CaseIterable {
    case noNewPrivileges = "no_new_privileges"
    case landlock
    case capabilities
  }

  /// Which.
  public var layer: Layer
  /// What the kernel said. ENOTRECOVERABLE: the kernel said yes, but reading the state back shows otherwise.
  public var errno: Int32

  /// Makes a failure.
  public init(layer: Layer, errno: Int32) {
    self.layer = layer
    self.errno = errno
  }
}
