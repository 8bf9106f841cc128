internal import ForsettiModuleKit

/// The script and the policy that are made for one order, as values.
enum ApplicationArtefacts {
  static let scriptsPath = "/api/v1/scripts"
  static let newPolicyPath = "/JSSResource/policies/id/0"

  static func policyPath(_ id: String) -> String { "/JSSResource/policies/id/\(id)" }

  /// What both are called in Jamf: whoever finds one knows what it was for.
  /// - Parameter token: tells orders of one moment apart.
  static func name(_ order: ApplicationOrder, _ serial: String, token: String) -> String {
    "Forsetti \(order.verb.rawValue) \(order.application) on \(serial) \(token)"
  }

  /// The script. It holds nothing of the order: the application's name is its fourth parameter, as Jamf counts.
  static func script(_ verb: ApplicationOrder.Verb, name: String) -> JSONValue {
    .object([
      ("name", .string(name)), ("info", .string("Made by Forsetti for one run, and deleted after it.")),
      ("notes", .string("")), ("priority", .string("AFTER")), ("parameter4", .string("Application")),
      ("scriptContents", .string(contents(verb))),
    ])
  }

  private static func contents(_ verb: ApplicationOrder.Verb) -> String {
    """
    #!/bin/zsh
    # Asks for the policy that does it. 10: no application was named; 11: there is no jamf; 20: no policy did it.
    [[ -n "$4" ]] || exit 10
    jamf=/usr/local/bin/jamf
    [[ -x "$jamf" ]] || exit 11
    output=$("$jamf" policy -event "\(verb.rawValue)-$4" 2>&1) || exit 20
    print -r -- "$output"
    [[ "$output" != *"No policies were found"* ]] || exit 20
    """
  }

  /// The policy: at the next check-in, once, on this Mac alone.
  static func policy(_ order: ApplicationOrder, name: String, script: String, computer: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?><policy><general><name>\(XMLText.escaped(name))</name>\
    <enabled>true</enabled><trigger_checkin>true</trigger_checkin><frequency>Once per computer</frequency></general>\
    <scope><all_computers>false</all_computers><computers><computer><id>\(computer)</id></computer></computers></scope>\
    <scripts><size>1</size><script><id>\(script)</id><priority>After</priority>\
    <parameter4>\(XMLText.escaped(order.application))</parameter4></script></scripts></policy>
    """
  }

  /// The ID of a policy that was made.
  static func policyID(_ answer: [UInt8]) -> String? {
    guard answer.count <= 1 << 16 else { return nil }
    return SupportText.inventoryID(XMLText.content(of: "id", in: String(decoding: answer, as: UTF8.self)))
  }

  /// Privileges that the token lacks; none where the server names none at all, for then nobody knows.
  static func missingPrivileges(in answer: JSONValue) -> [String] {
    let held = Set((answer["privileges"]?.elements ?? []).compactMap(\.stringValue))
    return held.isEmpty ? [] : SupportEndpoints.applicationPrivileges.filter { !held.contains($0) }
  }
}
