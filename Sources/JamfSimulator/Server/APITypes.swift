public import ForsettiHTTP

/// A request to the simulated server. Core has a type of the same name for requests of modules.
public typealias APIRequest = ForsettiHTTP.HTTPRequest
/// An answer of the simulated server.
public typealias APIResponse = ForsettiHTTP.HTTPResponse
