//! NIC timing: commands, DMA, segmentation, eager and rendezvous, headers.
