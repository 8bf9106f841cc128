import ForsettiIPC

/// What a request is about, as the audit log tells it: a module by the name it was given, a method, a type
/// of events, the name of a secret.
struct RequestSubject: ControlRecord {
  private var module: String?
  private var moduleID: String?
  private var role: String?
  private var method: String?
  private var type: String?
  private var secretID: String?

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
    try members("moduleID", &moduleID)
    try members("role", &role)
    try members("method", &method)
    try members("type", &type)
    try members("secretID", &secretID)
  }

  /// For the log.
  var text: String {
    [module ?? moduleID, role, method, type, secretID].compactMap { $0 }.joined(separator: " ")
  }
}
