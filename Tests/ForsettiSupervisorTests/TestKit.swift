// Programs, scratch folders and logs, for every test here.
@_exported import ForsettiTestKit
