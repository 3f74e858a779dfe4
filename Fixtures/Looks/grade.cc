<?xml version="1.0" encoding="UTF-8"?>
  <ColorCorrection xmlns="urn:ASC:CDL:v1.2" id="warm">
    <SOPNode>
      <Description>of the test &amp; its table</Description>
      <Slope>1.1 0.95 0.8</Slope>
      <Offset>0.02 0 -0.01</Offset>
      <Power>0.9 1 1.2</Power>
    </SOPNode>
    <SatNode>
      <Saturation>1.2</Saturation>
    </SatNode>
  </ColorCorrection>
