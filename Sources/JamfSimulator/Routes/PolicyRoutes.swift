import ForsettiCore
import ForsettiHTTP

/// Scripts of the Pro API, and the policies of the Classic API that run them.
enum PolicyRoutes {
  private static let scripts = "/api/v1/scripts"
  private static let policies = "/JSSResource/policies"

  static let all: [Route] = [
    Route("GET", scripts, [.readScripts]) { (tenant, call) throws(APIFault) in
      try call.list(tenant.policies.scripts) { script in
        .object([("id", RecordJSON.id(script.number)), ("name", .string(script.name))])
      }
    },
    Route("POST", scripts, [.createScripts]) { (tenant, call) throws(APIFault) in
      let (name, contents) = try call.body { (body) throws(JSONFault) in
        (try body.required("name").string(), try body.required("scriptContents").string())
      }
      guard !tenant.policies.scripts.contains(where: { $0.name == name }) else {
        throw APIFault(.conflict, "DUPLICATE_FIELD", "There is a script of this name", field: "name")
      }
      guard let script = tenant.policies.addScript(name: name, contents: contents) else {
        throw .invalid("name", "there are too many scripts")
      }
      return .json(
        .object([
          ("id", RecordJSON.id(script.number)), ("href", .string("/v1/scripts/\(script.number)")),
        ]), .created)
    },
    Route("DELETE", scripts + "/{id}", [.deleteScripts]) { (tenant, call) throws(APIFault) in
      let number = try call.number()
      guard tenant.policies.removeScript(number) else { throw .notFound("There is no script \(number)") }
      return .nothing
    },
    Route("GET", policies, [.readPolicies]) { (tenant, call) throws(APIFault) in
      .json(
        .object([
          (
            "policies",
            .array(
              tenant.policies.policies.map {
                .object([("id", .integer($0.number)), ("name", .string($0.name))])
              })
          )
        ]))
    },
    Route("POST", policies + "/id/{id}", [.createPolicies]) { (tenant, call) throws(APIFault) in
      let order = try ClassicPolicy(call.request)
      guard tenant.policies.scripts.contains(where: { $0.number == order.script }) else {
        throw .notFound("There is no script \(order.script)")
      }
      guard order.computers.allSatisfy({ tenant.fleet.computer($0) != nil }) else {
        throw .notFound("There is no such computer")
      }
      guard
        let policy = tenant.policies.addPolicy(
          name: order.name, script: order.script, parameter: order.parameter, computers: order.computers)
      else { throw .invalid("name", "there are too many policies") }
      return ServerResponse(
        .created, #"<?xml version="1.0" encoding="UTF-8"?><policy><id>\#(policy.number)</id></policy>"#,
        type: "application/xml;charset=UTF-8")
    },
    Route("DELETE", policies + "/id/{id}", [.deletePolicies]) { (tenant, call) throws(APIFault) in
      let number = try call.number()
      guard tenant.policies.removePolicy(number) else { throw .notFound("There is no policy \(number)") }
      return ServerResponse(.ok, "<policy><id>\(number)</id></policy>", type: "application/xml;charset=UTF-8")
    },
  ]
}
