import ForsettiCore
import ForsettiRuntime
import Glibc

/// What each error of the other rooms means for the exit status. One place, so that the README's table is true.
extension CommandFailure {
  /// A policy file that is not read.
  init(policyFile error: TrustedFileError) {
    self.init(status: Self.status(of: error, missing: .noInput), message: "policy \(error)")
  }

  /// A policy that is wrong: the first fault in the line, the others below.
  init(_ faults: PolicyFaults, path: String) {
    let count = faults.faults.count + faults.omitted
    guard count > 1 else {
      self.init(status: .configuration, message: "policy \(faults.faults.first?.message ?? path)")
      return
    }
    let omitted = faults.omitted > 0 ? ["and \(faults.omitted) more"] : []
    self.init(
      status: .configuration, message: "policy \(path) has \(counted(count, "fault")); nothing was started",
      details: faults.faults.map(\.message) + omitted)
  }

  /// State that cannot be used.
  init(_ error: StoreError) {
    let status: ExitStatus =
      switch error {
      case .untrusted: .noPermission
      case .folderNotCreated: .cannotCreate
      case .unwritable(_, let code):
        code == EACCES || code == EPERM || code == EROFS ? .noPermission : .ioError
      case .locked, .busy: .temporaryFailure
      case .newerVersion: .dataError
      case .damaged, .full, .failed: .ioError
      case .userIDsExhausted: .configuration
      case .noThread: .osError
      }
    self.init(status: status, message: error.description)
  }

  private static func status(of error: TrustedFileError, missing: ExitStatus) -> ExitStatus {
    switch error.fault {
    case .absent, .wrongKind, .unreadable, .symbolicLink, .tooManyLinks: missing
    case .foreignOwner, .writable: .noPermission
    case .tooLarge: .configuration
    }
  }
}
