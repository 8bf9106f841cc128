import ForsettiCore
import ForsettiRuntime
import Glibc

/// What each error of the other rooms means for the exit status. One place, so that the README's table is true.
extension CommandFailure {
  /// A policy that is not read, or is wrong.
  init(_ failure: PolicyInput.Failure, path: String) {
    switch failure {
    case .file(let error):
      self.init(status: Self.status(of: error, missing: .noInput), message: "policy \(error)")
    case .faults(let faults): self.init(faults, path: path)
    }
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

  /// A crash report that can't be read.
  init(_ error: CrashReportError) {
    switch error {
    case .state(let cause): self.init(cause)
    case .untrusted(let cause):
      self.init(status: Self.status(of: cause, missing: .noInput), message: error.description)
    case .unwritable: self.init(status: .ioError, message: error.description)
    case .absent: self.init(status: .noInput, message: error.description)
    case .damaged: self.init(status: .dataError, message: error.description)
    }
  }

  /// A boot that failed.
  init(_ failure: BootFailure) {
    switch failure {
    case .manifests(let error): self.init(error)
    case .catalog(let error), .module(let error): self.init(error)
    case .state(let error): self.init(error)
    case .host: self.init(status: .noPermission, message: failure.description)
    case .services: self.init(status: .cannotCreate, message: failure.description)
    case .entitlements, .audit: self.init(status: .configuration, message: failure.description)
    case .interrupted: self.init(status: .temporaryFailure, message: failure.description)
    }
  }

  /// A bundle that is not installed or removed.
  init(_ error: PackageError) {
    let status: ExitStatus =
      switch error {
      case .unreadable: .noInput
      case .refused, .idTaken, .wouldReplace, .notInstalled: .dataError
      case .unwritable: .cannotCreate
      case .untrusted: .noPermission
      }
    self.init(status: status, message: error.description)
  }

  /// Manifests that cannot be loaded: all bad files, one line each.
  init(_ error: ManifestLoaderError) {
    let faults = Self.flattened(error)
    let statuses = Set(faults.map(Self.status))
    let status = statuses.count == 1 ? faults.first.map(Self.status) ?? .dataError : .dataError
    guard faults.count > 1 else {
      self.init(status: status, message: error.message)
      return
    }
    self.init(
      status: status, message: "\(counted(faults.count, "manifest fault")); nothing was started",
      details: faults.map(\.message))
  }

  /// A module that could not be activated.
  init(_ error: ModuleManagerError) {
    let status: ExitStatus =
      switch error {
      case .incompatible, .duplicateEntryPoint, .registrationMissing, .registrationMismatch,
        .moduleNotDiscovered, .bundleRefused:
        .dataError
      case .sandboxFailed, .threadsUnbounded: .osError
      case .storeFailed: .ioError
      default: .unavailable
      }
    self.init(status: status, message: error.message)
  }

  private static func flattened(_ error: ManifestLoaderError) -> [ManifestLoaderError] {
    if case .several(let errors) = error { errors.flatMap(flattened) } else { [error] }
  }

  private static func status(of error: ManifestLoaderError) -> ExitStatus {
    switch error {
    case .manifestsDirectoryNotFound: .noInput
    case .untrustedFile: .noPermission
    case .duplicateModuleID, .validationFailed, .tooManyManifests, .several: .dataError
    }
  }

  static func status(of error: TrustedFileError, missing: ExitStatus) -> ExitStatus {
    switch error.fault {
    case .absent, .wrongKind, .unreadable, .symbolicLink, .tooManyLinks: missing
    case .foreignOwner, .writable: .noPermission
    case .tooLarge: .configuration
    }
  }
}
