import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Glibc

/// `secret`: lists what the policy asks persons for, or hands one of them to its module by the supervisor that runs.
struct SecretCommand: Equatable {
  enum Action: Equatable {
    case list
    case set(String)
  }

  var action: Action
  var place = ControlPlace()
  /// Values that were given on the command line, by their fields.
  var fields: [String: String] = [:]
  /// Whether the values come as an object of JSON on standard input.
  var readsInput = false
  var json = false

  /// While a terminal shows nothing that is typed, these must not end the process before it shows it again. No other
  /// thread may take them; this command's own lets them through at all other times.
  var signals: [Int32] { asksPerson ? SecretTerminal.signals : [] }

  private var asksPerson: Bool { action != .list && !readsInput }

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    SignalSource.unblock(signals)
    let secrets = try list(in: surroundings)
    let output = surroundings.output
    switch action {
    case .list: try output.write(json ? Self.json(secrets).line : Self.text(secrets, output.style))
    case .set(let id):
      let secret = try Self.find(id, among: secrets)
      var request = SetSecretRequest()
      request.secretID = secret.secretID
      request.values = try values(of: secret, surroundings)
      // Anew: whoever types takes longer than a connection is kept open for.
      var client = try place.connect(in: surroundings)
      let answer = try client.call(ControlOperations.setSecret, request) ?? SetSecretAnswer()
      try output.write(
        json ? answer.json.line : "\(escaped(answer.moduleID)) has taken \(escaped(answer.secretID))\n")
    }
    return .success
  }

  private func list(in surroundings: Surroundings) throws(CommandFailure) -> [SecretItem] {
    var client = try place.connect(in: surroundings)
    var secrets: [SecretItem] = []
    _ = try client.call(
      ControlOperations.secrets, item: { (item) throws(CommandFailure) in secrets.append(item) })
    return secrets
  }

  private static func find(
    _ id: String, among secrets: [SecretItem]
  ) throws(CommandFailure) -> SecretItem {
    if let secret = secrets.first(where: { $0.secretID.hasSameScalars(as: id) }) { return secret }
    let known = secrets.map(\.secretID)
    throw CommandFailure(
      status: .dataError,
      message: "the policy asks for no secret \(id.quoted())\(NearestName.hint(for: id, among: known)); "
        + "`secret list` names those it asks for")
  }

  // MARK: Values

  private func values(
    of secret: SecretItem, _ surroundings: Surroundings
  ) throws(CommandFailure) -> [String: String] {
    for field in secret.fields where field.fieldKind?.isSecret ?? true {
      guard fields[field.fieldID] == nil else {
        throw CommandFailure(
          status: .usage,
          message:
            "\(field.fieldID) is not taken from the command line, which every user of this host can read; "
            + "type it when you are asked, or give it by --stdin")
      }
    }
    guard asksPerson else {
      let given = try SecretInput.read(STDIN_FILENO)
      if let twice = given.keys.sorted().first(where: { fields[$0] != nil }) {
        throw CommandFailure(status: .usage, message: "\(twice.quoted()) is given twice")
      }
      return fields.merging(given) { $1 }
    }
    let open = secret.fields.filter { fields[$0.fieldID] == nil }
    guard !open.isEmpty else { return fields }
    let terminal = try SecretTerminal(input: STDIN_FILENO, output: surroundings.errors)
    try surroundings.errors.write("\(escaped(secret.title)), for \(escaped(secret.moduleID))\n")
    var values = fields
    for field in open { values[field.fieldID] = try terminal.ask(field) }
    return values
  }

  // MARK: The list

  private static func json(_ secrets: [SecretItem]) -> JSONValue {
    .record(["secrets": .array(secrets.map(\.json))])
  }

  private static func text(_ secrets: [SecretItem], _ style: TextStyle) -> String {
    guard !secrets.isEmpty else { return "the policy asks for no secrets\n" }
    let header = ["SECRET", "TITLE", "MODULE", "STATE", "FIELDS"].map(style.dim)
    let rows = secrets.map { secret in
      [
        escaped(secret.secretID), escaped(secret.title), escaped(secret.moduleID),
        escaped(secret.state ?? "unknown"), escaped(secret.fields.map(\.fieldID).joined(separator: " ")),
      ]
    }
    return columns([header] + rows)
  }
}
