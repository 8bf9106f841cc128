import ForsettiIPC

/// What a request is about, as the audit log tells it: a module by the name it was given, a method, a type of events.
struct RequestSubject: ControlRecord {
  private var module: String?
  private var moduleID: String?
  private var role: String?
  private var method: String?
  private var type: String?

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
    try members("moduleID", &moduleID)
    try members("role", &role)
    try members("method", &method)
    try members("type", &type)
  }

  /// For the log.
  var text: String {
    [module ?? moduleID, role, method, type].compactMap { $0 }.joined(separator: " ")
  }
}
