import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// A field that a person fills in.
struct SecretFieldItem: ControlRecord, Equatable {
  var fieldID = ""
  var label = ""
  var kind = SecretDeclaration.Field.Kind.text.rawValue
  var choices: [String] = []
  var isRequired = false

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("fieldID", &fieldID)
    try members("label", &label)
    try members("kind", &kind)
    try members("choices", &choices)
    try members("required", &isRequired)
  }

  /// Its kind, as far as this build knows it.
  var fieldKind: SecretDeclaration.Field.Kind? { SecretDeclaration.Field.Kind(rawValue: kind) }
}

/// A secret that the policy asks for: what a form shows, never what was entered.
struct SecretItem: ControlRecord, Equatable {
  var secretID = ""
  var title = ""
  var moduleID = ""
  /// Where its module stands; absent where there is none of that ID.
  var state: String?
  var fields: [SecretFieldItem] = []

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("secretID", &secretID)
    try members("title", &title)
    try members("moduleID", &moduleID)
    try members("state", &state)
    try members("fields", &fields)
  }

  init() {}

  init(_ secret: SecretDeclaration, state: String?) {
    secretID = secret.secretID
    title = secret.title
    moduleID = secret.moduleID
    self.state = state
    fields = secret.fields.map { field in
      var item = SecretFieldItem()
      item.fieldID = field.fieldID
      item.label = field.label
      item.kind = field.kind.rawValue
      item.choices = field.choices
      item.isRequired = field.isRequired
      return item
    }
  }
}

/// What `setSecret` asks.
struct SetSecretRequest: ControlRecord {
  var secretID = ""
  /// By the IDs of fields; one that is empty is as one that is not there.
  var values: [String: String] = [:]

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("secretID", &secretID)
    try members("values", &values)
  }
}

/// Which module has taken it.
struct SetSecretAnswer: ControlRecord {
  var secretID = ""
  var moduleID = ""

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("secretID", &secretID)
    try members("moduleID", &moduleID)
  }
}

extension ControlOperations {
  /// What the policy asks persons for.
  static let secrets = ControlOperation<NoValue, SecretItem, NoValue>("secrets", .read) {
    (_, call) throws(ControlFailure) in
    let manager = try call.manager
    for secret in manager.policy.secrets {
      let state = manager.state(of: secret.moduleID)?.rawValue
      try await call.stream.send(SecretItem(secret, state: state))
    }
    return NoValue()
  }

  /// Hands a secret to its module, which verifies it first. Whoever does this decides whom the module trusts, and what it
  /// may do elsewhere.
  static let setSecret = ControlOperation<SetSecretRequest, NoValue, SetSecretAnswer>("setSecret", .trust) {
    (request, call) throws(ControlFailure) in
    let manager = try call.manager
    let secret = try find(request.secretID, among: manager.policy.secrets)
    let values: [String: String]
    do throws(SecretFault) { values = try secret.checked(request.values) } catch {
      throw ControlFailure(.invalidRequest, .usage, "\(secret.secretID): \(error)")
    }
    do throws(ServiceError) {
      try await manager.hand(secret, values, inTheNameOf: call.peer.name)
    } catch { throw ControlFailure(error, of: secret) }
    var answer = SetSecretAnswer()
    answer.secretID = secret.secretID
    answer.moduleID = secret.moduleID
    return answer
  }

  private static func find(
    _ id: String, among secrets: [SecretDeclaration]
  ) throws(ControlFailure) -> SecretDeclaration {
    if let secret = secrets.first(where: { $0.secretID.hasSameScalars(as: id) }) { return secret }
    throw ControlFailure(
      .failed, .dataError,
      "the policy asks for no secret \(id.quoted())"
        + NearestName.hint(for: id, among: secrets.map(\.secretID)))
  }
}

extension ControlFailure {
  /// A secret that its module does not have now.
  fileprivate init(_ error: ServiceError, of secret: SecretDeclaration) {
    switch error {
    case .serviceUnavailable, .moduleCrashed:
      self.init(.failed, .unavailable, "\(secret.moduleID) has not taken it: \(error.reason)")
    case .serviceDenied(.unknown, _):
      self.init(
        .failed, .configuration,
        "\(secret.moduleID) takes no secrets; the policy's \"secrets\" name another module, or another version of it"
      )
    case .deadlineExceeded: self.init(.deadlineExceeded, .temporaryFailure, error.reason)
    default: self.init(.failed, .dataError, "\(secret.moduleID) refused it: \(error.reason)")
    }
  }
}
