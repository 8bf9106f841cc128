import ForsettiHTTP

/// All calls of the API, and who may make them.
struct Router: Sendable {
  private let routes: [Route]

  init() {
    routes =
      AuthenticationRoutes.all + ComputerRoutes.all + MobileDeviceRoutes.all + PrestageRoutes.all
      + CommandRoutes.all + ClassicRoutes.all + UpdatePlanRoutes.all + GroupRoutes.all + PolicyRoutes.all
      + SecretRoutes.all + AttachmentRoutes.all + OrganisationRoutes.all
  }

  /// Answers a request: first who asks, then what for, then whether they may.
  func answer(
    _ request: ServerRequest, _ tenant: inout Tenant, now: Int64, distortion: Fault?
  ) -> ServerResponse {
    do throws(APIFault) {
      if let answer = try AuthenticationRoutes.logIn(request, &tenant, now: now) { return answer }
      let token = try Self.token(of: request, tenant, now: now)
      let path = request.path.split(separator: "/")
      let matches = routes.compactMap { route in route.match(path).map { (route, $0) } }
      guard !matches.isEmpty else {
        throw APIFault(.notFound, "NOT_FOUND", "There is nothing at \(request.path)")
      }
      guard let (route, parameters) = matches.first(where: { $0.0.method == request.method }) else {
        throw APIFault(
          .methodNotAllowed, "METHOD_NOT_ALLOWED", "\(request.method) is not for \(request.path)")
      }
      guard token.account.privileges.isSuperset(of: route.privileges) else { throw .forbidden }
      return try route.handler(
        &tenant,
        Call(request: request, parameters: parameters, token: token, now: now, distortion: distortion))
    } catch {
      return error.response
    }
  }

  private static func token(
    of request: ServerRequest, _ tenant: Tenant, now: Int64
  ) throws(APIFault) -> TokenBook.Token {
    guard let header = request.headers["Authorization"], header.hasPrefix("Bearer "),
      let token = tenant.tokens.find(String(header.dropFirst(7)), now: now)
    else { throw .unauthorized }
    return token
  }
}
