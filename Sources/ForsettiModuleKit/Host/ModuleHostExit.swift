/// Exit codes of a module process, where it ends by itself (sysexits.h where one fits).
public enum ModuleHostExit: Int32, Sendable, Hashable, CaseIterable {
  /// It was asked to stop, and has.
  case stopped = 0
  /// What the module says of itself doesn't fit a frame (EX_DATAERR).
  case indescribable = 65
  /// The supervisor closed its end (EX_UNAVAILABLE).
  case supervisorGone = 69
  /// `start(context:)` threw (EX_SOFTWARE).
  case startFailed = 70
  /// Reading or writing a pipe failed (EX_IOERR).
  case pipeFailed = 74
  /// The supervisor sent something that is no frame, or none for this moment (EX_PROTOCOL).
  case protocolViolation = 76
  /// A layer of the lockdown, or a common protocol version, could not be had (EX_NOPERM).
  case refused = 77
  /// No module is registered under the entry point, or the registry is no good (EX_CONFIG).
  case noSuchModule = 78
}
