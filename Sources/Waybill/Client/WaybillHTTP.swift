// The messages of HTTP are a part of what an app sees.
@_exported import WaybillHTTP
