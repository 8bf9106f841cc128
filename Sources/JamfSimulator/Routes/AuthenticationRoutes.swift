import ForsettiCore
import ForsettiHTTP

/// Logging in and out, and what one may do.
enum AuthenticationRoutes {
  static let all: [Route] = [
    Route("POST", "/api/v1/auth/keep-alive") { (tenant, call) throws(APIFault) in
      // Jamf keeps tokens of users alone alive.
      guard call.token.account.kind == .user else { throw .unauthorized }
      tenant.tokens.invalidate(call.token.text)
      return userToken(tenant.tokens.issue(call.token.account, now: call.now))
    },
    Route("POST", "/api/v1/auth/invalidate-token") { (tenant, call) throws(APIFault) in
      tenant.tokens.invalidate(call.token.text)
      return .nothing
    },
    Route("GET", "/api/v1/auth") { (tenant, call) throws(APIFault) in .json(account(call.token.account)) },
    Route("GET", "/api/v1/api-role-privileges", [.readRoles]) { (tenant, call) throws(APIFault) in
      .json(.object([("privileges", .strings(Privilege.allCases.map(\.rawValue)))]))
    },
  ]

  /// Answers a request for a token, which needs none; nothing for another request.
  static func logIn(
    _ request: ServerRequest, _ tenant: inout Tenant, now: Int64
  ) throws(APIFault) -> ServerResponse? {
    switch (request.method, request.path) {
    case ("POST", "/api/v1/oauth/token"), ("POST", "/api/oauth/token"):
      return clientLogIn(request, &tenant, now)
    case ("POST", "/api/v1/auth/token"):
      guard let credentials = BasicCredentials(request.headers["Authorization"] ?? ""),
        let account = Account.find(.user, name: credentials.name, secret: credentials.password)
      else { throw .unauthorized }
      return userToken(tenant.tokens.issue(account, now: now))
    default: return nil
    }
  }

  /// RFC 6749 §4.4, with the answers of §5.
  private static func clientLogIn(_ request: ServerRequest, _ tenant: inout Tenant, _ now: Int64)
    -> ServerResponse
  {
    guard let form = HTTPQuery(form: request.body), form["grant_type"] == "client_credentials" else {
      return .json(.object([("error", .string("unsupported_grant_type"))]), .badRequest)
    }
    guard
      let account = Account.find(
        .client, name: form["client_id"] ?? "", secret: form["client_secret"] ?? "")
    else { return .json(.object([("error", .string("invalid_client"))]), .unauthorized) }
    let token = tenant.tokens.issue(account, now: now)
    return .json(
      .object([
        ("access_token", .string(token.text)), ("scope", .string("api-role:1")),
        ("token_type", .string("Bearer")),
        ("expires_in", .integer(tenant.tokens.lifetime)),
      ]))
  }

  private static func userToken(_ token: TokenBook.Token) -> ServerResponse {
    .json(.object([("token", .string(token.text)), ("expires", RecordJSON.moment(token.expires))]))
  }

  private static func account(_ account: Account) -> JSONValue {
    let privileges = JSONValue.strings(account.privileges.map(\.rawValue).sorted())
    return .object([
      (
        "account",
        .object([
          ("id", .string("1")), ("username", .string(account.name)), ("realName", .string(account.name)),
          ("email", .string("\(account.name)@example.invalid")), ("multiSiteAdmin", .bool(false)),
          ("accessLevel", .string("FullAccess")), ("privilegeSet", .string("CUSTOM")),
          ("privilegesBySite", .object([("-1", privileges)])), ("groupIds", .array([])),
          ("currentSiteId", .string("-1")),
        ])
      ),
      ("accountGroups", .array([])), ("sites", .array([])), ("authenticationType", .string("JSS")),
    ])
  }
}
