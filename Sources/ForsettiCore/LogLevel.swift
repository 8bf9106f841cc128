/// Levels of the seeds' logger.
public enum LogLevel: String, Sendable, Hashable, CaseIterable {
  case debug, info, warning, error
}
