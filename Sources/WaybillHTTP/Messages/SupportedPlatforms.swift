#if os(Windows) || os(WASI)
    #error("Waybill calls servers from Apple's platforms, Linux and Android. Here only WaybillJSON can be used.")
#endif
