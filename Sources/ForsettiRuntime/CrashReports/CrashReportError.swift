public import ForsettiCore

/// Why a crash report can't be kept or read.
public enum CrashReportError: Error, Sendable, Hashable {
  /// The folder could not be made.
  case state(StoreError)
  /// The folder or a file in it could be changed by somebody else, or can't be read.
  case untrusted(TrustedFileError)
  /// A file could not be written.
  case unwritable(path: String, errno: Int32)
  /// There is no such report.
  case absent(CrashReportID)
  /// A file is no report that this version reads.
  case damaged(path: String, JSONFault)
}

extension CrashReportError: CustomStringConvertible {
  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .state(let error): error.description
    case .untrusted(let error): "crash reports are not used: \(error)"
    case .unwritable(let path, let code):
      "cannot write \(path): \(SystemError.text(of: code)); free some space, or give the supervisor's user the right"
    case .absent(let id):
      "there is no crash report \(id); `crashes list` names those that are kept, older ones were dropped"
    case .damaged(let path, let fault):
      "\(path) is no crash report: \(fault.pointer.isEmpty ? "" : "\(fault.pointer): ")\(fault.reason); remove it"
    }
  }
}
