internal import ForsettiIPC

extension IncomingCalls {
  /// Answers what the module's conformances say it answers.
  func serveConformances(of module: any ForsettiModule) {
    serve(RuntimeMethods.health) { _, _ in Nothing() }
    if let module = module as? any ForsettiRenderingModule {
      serve(RuntimeMethods.render) { request, _ in
        try await module.render(viewID: request.viewID, parameters: request.parameters)
      }
    }
    if let module = module as? any ForsettiSecretReceiver {
      serve(RuntimeMethods.receiveSecret) { request, _ in
        try await module.receiveSecret(request.secretID, values: request.values)
        return Nothing()
      }
    }
    if let module = module as? any ForsettiAPIProvider {
      serve(APIMethods.request) { try await module.request($0, from: $1) }
    }
    if let module = module as? any ForsettiSharedDatabaseProvider { serveDatabase(module) }
    if let module = module as? any ForsettiAuthenticationProvider { serveAuthentication(module) }
    if let module = module as? any ForsettiDiagnosticsProvider { serveDiagnostics(module) }
    if let module = module as? any ForsettiSecurityProvider { serveSecurity(module) }
  }

  private func serveDatabase(_ module: any ForsettiSharedDatabaseProvider) {
    serve(SharedDatabaseMethods.query) { try await module.query($0, from: $1) }
    serve(SharedDatabaseMethods.execute) { try await module.execute($0, from: $1) }
    serve(SharedDatabaseMethods.transaction) { try await module.transaction($0, from: $1) }
  }

  private func serveAuthentication(_ module: any ForsettiAuthenticationProvider) {
    serve(AuthenticationMethods.identity) { try await module.identity(of: $1) }
    serve(AuthenticationMethods.issueToken) {
      try await module.issueToken(audience: $0.audience, lifetime: $0.lifetime, for: $1)
    }
    serve(AuthenticationMethods.verify) { try await module.verify($0, from: $1) }
  }

  private func serveDiagnostics(_ module: any ForsettiDiagnosticsProvider) {
    serve(DiagnosticsMethods.emit) {
      try await module.emit($0, from: $1)
      return Nothing()
    }
    serve(DiagnosticsMethods.events) { try await module.events($0, from: $1) }
    serve(DiagnosticsMethods.export) {
      Bytes(try await module.export($0.filter, format: $0.format, from: $1))
    }
  }

  private func serveSecurity(_ module: any ForsettiSecurityProvider) {
    serve(SecurityMethods.grants) { try await module.grants(of: $1) }
    serve(SecurityMethods.decision) { try await module.decision($0, for: $1) }
    serve(SecurityMethods.reportIncident) {
      try await module.reportIncident($0.name, details: $0.entries, from: $1)
      return Nothing()
    }
  }
}
