import ForsettiIPC

/// What a request is about, as the audit log tells it: a module by the name it was given, or a method.
struct RequestSubject: ControlRecord {
  private var module: String?
  private var moduleID: String?
  private var role: String?
  private var method: String?

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
    try members("moduleID", &moduleID)
    try members("role", &role)
    try members("method", &method)
  }

  /// For the log.
  var text: String { module ?? moduleID ?? [role, method].compactMap { $0 }.joined(separator: ".") }
}
